//! Every kind of damage to the journal, the tally and the index of a thread, and the expected verdict on it.

use milepost::digest::digest;
use milepost::json::{Json, Object};

use super::{ask, checkpoint, value};
use crate::memory::Memory;

/// So many changes are lines, behind a document with one checkpoint.
pub(super) const LINES: usize = 40;

const THREADS: &str = "/repo/.claude/state/threads";

pub(super) fn request(operation: &str, durability: &str, more: &[(&str, Json)]) -> String {
    let place = Object::new()
        .with("root", "/repo")
        .with("durability", durability);
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", place);
    for (key, value) in more {
        request.set(key, value.clone());
    }
    Json::Object(request).to_line()
}

pub(super) fn id(number: usize) -> String {
    format!("c{number:02}")
}

pub(super) fn of_thread(thread: &str, more: &[(&str, Json)]) -> Vec<(&'static str, Json)> {
    let mut members = vec![("thread_id", Json::from(thread))];
    for (key, value) in more {
        let key = ["changes", "limit"].into_iter().find(|it| it == key);
        members.push((key.unwrap(), value.clone()));
    }
    members
}

pub(super) fn put(thread: &str, durability: &str, number: usize) -> String {
    let parent = number.checked_sub(1).map(id);
    let setting = super::SETTINGS[1];
    let change = checkpoint(setting, &id(number), parent.as_deref());
    let members = of_thread(thread, &[("changes", vec![change].into())]);
    request("put_thread", durability, &members)
}

/// The files of a thread.
pub(super) struct Files {
    pub(super) world: Memory,
    pub(super) folder: String,
}

impl Files {
    fn of(world: Memory, thread: &str) -> Self {
        let stem = digest(&[thread.as_bytes()]);
        Files {
            world,
            folder: format!("{THREADS}/{stem}"),
        }
    }

    /// A thread in a world of its own.
    fn copied(&self) -> Self {
        let disk = self.world.disk.borrow().clone();
        Files {
            world: self.world.with_disk(disk),
            folder: self.folder.clone(),
        }
    }

    /// The journal, which begins with `00-`, or the tally, with `01-`.
    pub(super) fn path(&self, begin: &str) -> String {
        let names = self.world.files_below(&self.folder);
        let name = names.iter().find(|it| it.starts_with(begin));
        format!("{}/{}", self.folder, name.expect("it is there"))
    }

    pub(super) fn bytes(&self, begin: &str) -> Vec<u8> {
        self.world.bytes(&self.path(begin)).unwrap()
    }

    pub(super) fn put(&self, begin: &str, bytes: &[u8]) {
        self.world.put(&self.path(begin), bytes);
    }

    pub(super) fn delete(&self, begin: &str) {
        self.world.delete(&self.path(begin));
    }

    /// The beginning and the end of each line of the journal.
    pub(super) fn lines(&self) -> Vec<usize> {
        let bytes = self.bytes("00-");
        let breaks = bytes.iter().enumerate().filter(|(_, it)| **it == b'\n');
        let mut lines: Vec<usize> = breaks.map(|(at, _)| at).collect();
        assert_eq!(lines.len(), LINES);
        lines.push(bytes.len());
        lines
    }

    pub(super) fn cut(&self, end: usize) {
        let bytes = self.bytes("00-");
        self.put("00-", &bytes[..end]);
    }

    pub(super) fn copies(&self) -> Vec<Vec<u8>> {
        let folder = format!("{}/.milepost/index/quarantine", self.folder);
        let names = self.world.files_below(&folder);
        let copies = names
            .iter()
            .map(|it| self.world.bytes(&format!("{folder}/{it}")));
        copies.map(Option::unwrap).collect()
    }
}

/// A thread with a document and so many lines, and another one like it.
pub(super) fn written(durability: &str) -> Files {
    let world = Memory::new();
    for thread in ["t", "other"] {
        for number in 0..=LINES {
            let reply = ask(&world, &put(thread, durability, number));
            let error = value(&reply).at("/results/0/error");
            assert_eq!(error, Some(&Json::Null), "{thread} {number}");
        }
    }
    Files::of(world, "t")
}

/// The expected verdict on a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing, and all is there.
    Fine,
    /// So many changes are lost, and the others are there.
    Lost(usize),
    Corrupt,
}

pub(super) use Verdict::{Corrupt, Fine, Lost};

/// A kind of damage, the verdict on it where the lines waited for the disk and where they did not, and how many lines
/// are kept and lost by recovering.
type Damage = (&'static str, fn(&Files), [Verdict; 2], (usize, usize));

const KINDS: [Damage; 22] = [
    (
        "garbage for the journal",
        |files| files.put("00-", b"garbage"),
        [Corrupt, Corrupt],
        (0, 40),
    ),
    (
        "garbage behind the journal",
        |files| {
            let bytes = [&files.bytes("00-")[..], b"\ngarbage"].concat();
            files.put("00-", &bytes);
        },
        [Corrupt, Corrupt],
        (40, 0),
    ),
    (
        "zeros for the journal",
        |files| {
            let length = files.bytes("00-").len();
            files.put("00-", &vec![0; length]);
        },
        [Corrupt, Lost(40)],
        (0, 40),
    ),
    (
        "zeros for the last line",
        |files| {
            let mut bytes = files.bytes("00-");
            bytes[files.lines()[39]..].fill(0);
            files.put("00-", &bytes);
        },
        [Corrupt, Lost(1)],
        (39, 1),
    ),
    (
        "zeros behind the journal",
        |files| {
            let bytes = [files.bytes("00-"), vec![0; 100]].concat();
            files.put("00-", &bytes);
        },
        [Lost(0), Lost(0)],
        (40, 0),
    ),
    (
        "an empty journal",
        |files| files.cut(0),
        [Corrupt, Lost(40)],
        (0, 40),
    ),
    (
        "no journal",
        |files| files.delete("00-"),
        [Corrupt, Corrupt],
        (0, 40),
    ),
    (
        "one line of forty",
        |files| files.cut(files.lines()[1]),
        [Corrupt, Lost(39)],
        (1, 39),
    ),
    (
        "all lines but the last",
        |files| files.cut(files.lines()[39]),
        [Corrupt, Lost(1)],
        (39, 1),
    ),
    (
        "an end in the middle of the last line",
        |files| files.cut(files.lines()[39] + 110),
        [Corrupt, Lost(1)],
        (39, 1),
    ),
    (
        "a flipped byte in the fifth line",
        |files| {
            let mut bytes = files.bytes("00-");
            bytes[files.lines()[4] + 110] ^= 1;
            files.put("00-", &bytes);
        },
        [Corrupt, Corrupt],
        (39, 1),
    ),
    (
        "a flipped byte in the text of the last line",
        |files| {
            let mut bytes = files.bytes("00-");
            bytes[files.lines()[39] + 110] ^= 1;
            files.put("00-", &bytes);
        },
        [Corrupt, Lost(1)],
        (39, 1),
    ),
    (
        "the last line twice",
        |files| {
            let bytes = files.bytes("00-");
            let last = bytes[files.lines()[39]..].to_vec();
            files.put("00-", &[bytes, last].concat());
        },
        [Fine, Fine],
        (40, 0),
    ),
    (
        "the journal of another thread",
        |files| {
            let other = digest(&[b"other"]);
            let names = files.world.files_below(&format!("{THREADS}/{other}"));
            let name = names.iter().find(|it| it.starts_with("00-")).unwrap();
            let bytes = files.world.bytes(&format!("{THREADS}/{other}/{name}"));
            files.put("00-", &bytes.unwrap());
        },
        [Corrupt, Corrupt],
        (0, 40),
    ),
    (
        "no tally",
        |files| files.delete("01-"),
        [Corrupt, Corrupt],
        (40, 0),
    ),
    (
        "garbage for the tally",
        |files| files.put("01-", b"garbage"),
        [Corrupt, Corrupt],
        (40, 0),
    ),
    (
        "a tally that is ahead",
        |files| {
            let path = files.path("01-");
            let token = path.rsplit('-').next().unwrap().trim_end_matches(".json");
            let bytes = files.bytes("01-");
            let kind = char::from(bytes[1]);
            let claim = format!("{kind} 000041 {}", "0f".repeat(16));
            let check = digest(&[token.as_bytes(), claim.as_bytes()]);
            let claim = format!("\n{claim} {}", &check[..8]);
            files.put("01-", &[bytes, claim.into_bytes()].concat());
        },
        [Corrupt, Lost(1)],
        (40, 1),
    ),
    (
        "a tally that is behind",
        |files| {
            let bytes = files.bytes("01-");
            files.put("01-", &bytes[..bytes.len() / 2]);
        },
        [Fine, Fine],
        (40, 0),
    ),
    (
        "an empty tally, as a loss of power can leave it",
        |files| files.put("01-", b""),
        [Fine, Fine],
        (40, 0),
    ),
    (
        "zeros for the tally, as a loss of power can leave it",
        |files| files.put("01-", &[0; 500]),
        [Fine, Fine],
        (40, 0),
    ),
    (
        "no index",
        |files| files.delete("index.json"),
        [Corrupt, Corrupt],
        (40, 0),
    ),
    (
        "garbage for the index",
        |files| files.put("index.json", b"garbage"),
        [Corrupt, Corrupt],
        (40, 0),
    ),
];

pub(super) fn has_index(kind: &str) -> bool {
    !kind.ends_with("index")
}

/// The damage of each kind, where the lines waited for the disk and where they did not.
pub(super) fn each(check: impl Fn(&str, &Files, Verdict, &str, (usize, usize))) {
    let bases = ["durable", "lazy"].map(|durability| (durability, written(durability)));
    for (kind, damage, verdict, counted) in KINDS {
        for ((durability, base), verdict) in bases.iter().zip(verdict) {
            let files = base.copied();
            damage(&files);
            let context = format!("{kind}, {durability}");
            check(kind, &files, verdict, &context, counted);
        }
    }
}
