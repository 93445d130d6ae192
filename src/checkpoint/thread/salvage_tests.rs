use super::{SalvagedThread, ThreadRemains, apart, salvage};
use crate::checkpoint::thread::change::{Coverage, Fork, Put, ThreadChange, change};
use crate::checkpoint::thread::index::{PartRef, Thread, ThreadSegment};
use crate::checkpoint::thread::log::{LoadedParts, Log};
use crate::checkpoint::thread::name::part_key;
use crate::checkpoint::thread::seal::{Sealed, Writing};
use crate::checkpoint::thread::tuple::load;
use crate::checkpoint::thread::value::Typed;
use crate::error::Code;
use crate::json::Object;

const NAME: &str = "a thread: ../?";

/// The stored form of a thread: its document, its parts, and the lines of its journal.
struct Stored {
    index: Object,
    parts: Vec<(PartRef, Vec<u8>)>,
    lines: Vec<Vec<u8>>,
}

impl Stored {
    /// A thread of checkpoints, each following from the one before, with a value of so many times one letter. A long
    /// one of the same letter as the one before is stored as what goes on from that.
    fn of(values: &[(char, usize)]) -> Self {
        let mut thread = Thread::new(NAME, &"5f".repeat(16));
        let mut stored = Stored {
            index: thread.clone().into_object(),
            parts: Vec::new(),
            lines: Vec::new(),
        };
        for (number, &(letter, bytes)) in values.iter().enumerate() {
            let token = format!("{number:032x}");
            let mut loaded = LoadedParts::default();
            for (part, bytes) in &stored.parts {
                loaded.add(part, bytes, "part").unwrap();
            }
            let changes = [put(number, &letter.to_string().repeat(bytes))];
            let outcome = change(&thread, &loaded, &changes, &token, Writing::Lines).unwrap();
            let next = outcome.next.unwrap();
            thread = *next.thread;
            match (next.line, next.sealed) {
                (Some(line), _) => stored.lines.push(line),
                (None, sealed) => {
                    stored.lines.clear();
                    stored.index = thread.clone().into_object();
                    for Sealed { key, bytes } in sealed {
                        let token = token.clone();
                        stored.parts.push((PartRef { key, token }, bytes));
                    }
                }
            }
        }
        stored
    }

    /// Returns a number of checkpoints whose values have about this number of bytes, and go on from
    /// each other if they are long.
    fn growing(count: usize, bytes: usize) -> Self {
        let values: Vec<(char, usize)> = (0..count).map(|it| ('x', bytes + it)).collect();
        Stored::of(&values)
    }

    /// Three checkpoints in a part each.
    fn in_parts() -> Self {
        let stored = Stored::of(&[('a', 60_000), ('b', 60_000), ('c', 60_000)]);
        assert_eq!((stored.parts.len(), stored.lines.len()), (3, 0));
        stored
    }

    fn salvage(&self, has_index: bool) -> SalvagedThread {
        let parts = self.parts.iter();
        let parts = parts.map(|(part, bytes)| (part.clone(), bytes.as_slice()));
        let remains = ThreadRemains {
            index: has_index.then_some(&self.index),
            parts: parts.collect(),
            lines: &self.lines,
        };
        salvage(NAME, &"a0".repeat(16), &remains).unwrap()
    }
}

fn typed(text: &str) -> Typed {
    Typed {
        kind: "json".to_owned(),
        encoding: None,
        text: text.into(),
    }
}

fn id(number: usize) -> String {
    format!("c{number:03}")
}

fn put(number: usize, text: &str) -> ThreadChange {
    let value = format!("[\"{text}\"]");
    ThreadChange::Put(Box::new(Put {
        namespace: String::new(),
        id: id(number),
        parent: number.checked_sub(1).map(id),
        fork: Fork::Allow,
        body: typed("{}"),
        metadata: typed("{}"),
        channels: vec!["c".to_owned()],
        changed: vec!["c".to_owned()],
        values: vec![("c".to_owned(), typed(&value))],
        coverage: Coverage::Changed,
        run: None,
        outer: Vec::new(),
    }))
}

/// Returns the checkpoints that can be loaded with their values, where no part is needed.
fn loaded(salvaged: &SalvagedThread, count: usize) -> Vec<usize> {
    let none = LoadedParts::default();
    let log = Log::new(&salvaged.thread, &none);
    let is_there = |number: &usize| load(log, "", Some(&id(*number))).unwrap().is_some();
    (0..count).filter(is_there).collect()
}

#[test]
fn a_thread_that_can_be_read_is_the_same_afterwards() {
    for (count, bytes) in [(0, 10), (40, 10), (5, 1_000)] {
        let salvaged = Stored::growing(count, bytes).salvage(true);
        assert!(salvaged.is_sound);
        assert_eq!((salvaged.kept, salvaged.checkpoints), (count, count));
        assert_eq!(loaded(&salvaged, count).len(), count);
    }
}

#[test]
fn a_line_that_is_lost_takes_no_checkpoint_along_but_its_own() {
    let mut stored = Stored::growing(40, 10);
    stored.lines.remove(4);
    let salvaged = stored.salvage(true);
    assert_eq!((salvaged.kept, salvaged.dropped), (39, 0));
    assert_eq!(salvaged.checkpoints, 39);
    assert!(!loaded(&salvaged, 40).contains(&4));
}

#[test]
fn a_value_that_goes_on_from_a_lost_one_is_lost_with_it() {
    let mut stored = Stored::growing(5, 1_000);
    stored.lines.remove(0);
    let salvaged = stored.salvage(true);
    assert_eq!((salvaged.kept, salvaged.dropped), (4, 4));
    assert_eq!(salvaged.checkpoints, 0);
    assert!(!salvaged.is_sound);
    assert_eq!(loaded(&salvaged, 5), [0; 0]);
}

#[test]
fn a_thread_without_a_document_is_made_of_its_parts_and_lines() {
    let salvaged = Stored::in_parts().salvage(false);
    assert_eq!((salvaged.checkpoints, salvaged.lost_parts), (3, 0));
    assert!(!salvaged.is_sound && salvaged.broken.is_empty());
    let salvaged = Stored::growing(3, 10).salvage(false);
    assert_eq!(loaded(&salvaged, 3), [0, 1, 2]);
}

#[test]
fn a_damaged_part_is_left_out_and_named() {
    for has_index in [true, false] {
        let mut stored = Stored::in_parts();
        stored.parts[2].1 = b"garbage".to_vec();
        let salvaged = stored.salvage(has_index);
        assert_eq!(salvaged.broken, [stored.parts[2].0.clone()]);
        assert_eq!(salvaged.lost_parts, usize::from(has_index));
        assert_eq!(salvaged.checkpoints, 2);
        // One that is gone as well.
        stored.parts.pop();
        assert_eq!(stored.salvage(has_index).checkpoints, 2);
    }
}

#[test]
fn values_that_rest_on_a_damaged_part_are_left_out_and_the_rest_comes_into_a_new_part() {
    let mut stored = Stored::of(&[('a', 60_000), ('a', 60_001), ('b', 60_000)]);
    assert_eq!(stored.parts.len(), 2);
    stored.parts[0].1 = b"garbage".to_vec();
    let salvaged = stored.salvage(true);
    assert_eq!((salvaged.checkpoints, salvaged.dropped), (1, 1));
    assert_eq!(salvaged.sealed.unwrap().key, part_key(NAME, 2));
    assert_eq!(salvaged.thread.segments.len(), 1);
    // Lines rest on a part as well.
    let mut stored = Stored::growing(3, 60_000);
    assert_eq!((stored.parts.len(), stored.lines.len()), (1, 2));
    stored.parts[0].1 = b"garbage".to_vec();
    let salvaged = stored.salvage(true);
    assert_eq!((salvaged.checkpoints, salvaged.dropped), (0, 2));
    assert!(salvaged.sealed.is_none() && salvaged.thread.segments.is_empty());
}

#[test]
fn a_document_of_a_later_version_is_not_replaced() {
    let stored = Stored::growing(1, 10);
    let index = stored.index.clone().with("version", 2_u64);
    let remains = ThreadRemains {
        index: Some(&index),
        parts: Vec::new(),
        lines: &stored.lines,
    };
    let refused = salvage(NAME, &"a0".repeat(16), &remains).unwrap_err();
    assert_eq!(refused.code(), Code::UnsupportedVersion);
}

#[test]
fn of_segments_that_overlap_those_with_the_most_entries_stay() {
    let segment = |(first, last): (u64, u64)| ThreadSegment {
        first,
        last,
        token: part_key(NAME, first)[..32].to_owned(),
        level: 0,
        bytes: 1,
        range: (String::new(), String::new()),
        namespaces: None,
    };
    for (given, expected) in [
        (vec![], vec![]),
        (vec![(5, 9), (0, 4)], vec![(0, 4), (5, 9)]),
        (
            vec![(0, 4), (5, 8), (0, 9), (10, 12)],
            vec![(0, 9), (10, 12)],
        ),
        (vec![(0, 17), (18, 30), (10, 18)], vec![(0, 17), (18, 30)]),
    ] {
        let found = apart(given.iter().copied().map(segment).collect());
        let found: Vec<(u64, u64)> = found.iter().map(|it| (it.first, it.last)).collect();
        assert_eq!(found, expected, "{given:?}");
    }
}
