//! Records that are swapped together, in memory.

use milepost::effect::{Effect, Fault, Outcome, SideWrite, Swap};
use milepost_disk::{Disk, failed};

fn side_write(record: &str, must_be_new: bool, bytes: Option<&str>) -> SideWrite {
    SideWrite {
        record: record.into(),
        must_be_new,
        bytes: bytes.map(Into::into),
    }
}

fn swap(
    disk: &mut Disk,
    expected: Option<&str>,
    bytes: Option<&str>,
    side_writes: Vec<SideWrite>,
) -> Outcome {
    let swap = Swap {
        record: "r".into(),
        expected: expected.map(Into::into),
        bytes: bytes.map(Into::into),
        keep: Some("kept".into()),
        side_writes,
    };
    let swapped = disk.perform(&Effect::SwapRecord(Box::new(swap)));
    swapped.expect("a disk has records")
}

fn all(disk: &Disk) -> Vec<(&str, &str)> {
    let all = disk.records.all();
    all.map(|(name, bytes)| (name, str::from_utf8(bytes).expect("they are texts")))
        .collect()
}

#[test]
fn records_beside_a_swap_are_put_and_removed_without_it() {
    let mut disk = Disk::new();
    let two = vec![
        side_write("r/a", true, Some("1")),
        side_write("s", true, Some("2")),
    ];
    assert_eq!(swap(&mut disk, None, Some("x"), two), Outcome::Done);
    assert_eq!(all(&disk), [("r", "x"), ("r/a", "1"), ("s", "2")]);
    let more = vec![
        side_write("r/a", false, None),
        side_write("s", false, Some("3")),
        side_write("none", true, None),
    ];
    assert_eq!(swap(&mut disk, Some("x"), None, more), Outcome::Done);
    assert_eq!(all(&disk), [("r/kept", "x"), ("s", "3")]);
}

#[test]
fn a_swap_that_fails_changes_nothing() {
    let mut disk = Disk::new();
    disk.records.put("r", Some(b"x"));
    disk.records.put("taken", Some(b"1"));
    let two = || {
        vec![
            side_write("new", true, Some("2")),
            side_write("taken", true, Some("2")),
        ]
    };
    for (expected, others) in [
        (Some("x"), two()),
        (Some("x"), vec![side_write("taken", true, None)]),
        (Some("other"), vec![side_write("new", true, Some("2"))]),
    ] {
        let swapped = swap(&mut disk, expected, Some("y"), others);
        assert_eq!(swapped, failed(Fault::Changed));
        assert_eq!(all(&disk), [("r", "x"), ("taken", "1")]);
    }
}
