//! Random documents for property tests; the same seed gives the same document.

use super::phases::Status;
use crate::json::{Json, Object};

/// SplitMix64: small, and good enough to vary documents.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// A document of the schema's outline, with unknown fields and odd keys.
    pub(super) fn document(&mut self) -> Object {
        let mut document = Object::new();
        document.set("command", "design");
        document.set("version", 1);
        for key in [
            "head_commit",
            "updated_at",
            "completed_at",
            "revision",
            "seal",
        ] {
            if self.one_in(2) {
                document.set(key, self.word());
            }
        }
        let mut state = Object::new();
        state.set("current_phase", self.scalar());
        state.set("completed_phases", self.names());
        state.set("pending_phases", self.names());
        document.set("state", state);
        let mut phases = Object::new();
        for _ in 0..self.below(4) {
            let phase = self.phase();
            phases.set(self.key(), phase);
        }
        document.set("phases", phases);
        for _ in 0..self.below(3) {
            let value = self.value(3);
            document.set(self.key(), value);
        }
        document
    }

    /// The object with some of its fields changed, removed or added, at any depth.
    pub(super) fn altered(&mut self, object: &Object) -> Object {
        let mut altered = Object::new();
        for (key, value) in object.iter() {
            let value = match value {
                _ if self.one_in(12) => continue,
                Json::Object(inner) => self.altered(inner).into(),
                Json::Array(items) => self.altered_list(items),
                _ if self.one_in(6) => self.scalar(),
                same => same.clone(),
            };
            altered.set(key, value);
        }
        if self.one_in(3) {
            let value = self.value(2);
            altered.set(self.key(), value);
        }
        altered
    }

    fn altered_list(&mut self, items: &[Json]) -> Json {
        let mut altered = Vec::new();
        for item in items {
            if self.one_in(5) {
                altered.push(self.word());
            }
            match item {
                _ if self.one_in(5) => {}
                Json::Object(inner) => altered.push(self.altered(inner).into()),
                same => altered.push(same.clone()),
            }
        }
        if self.one_in(3) {
            altered.push(self.word());
        }
        Json::Array(altered)
    }

    fn phase(&mut self) -> Object {
        let mut phase = Object::new();
        phase.set(
            "status",
            Status::ALL[self.below(Status::ALL.len())].as_str(),
        );
        if self.one_in(2) {
            phase.set("updated_at", self.word());
        }
        if self.one_in(2) {
            phase.set("files_created", self.names());
        }
        if self.one_in(3) {
            let value = self.value(2);
            phase.set(self.key(), value);
        }
        phase
    }

    fn value(&mut self, depth: usize) -> Json {
        match self.below(5) {
            0 if depth > 0 => {
                let items = (0..self.below(4)).map(|_| self.value(depth - 1));
                Json::Array(items.collect())
            }
            1 if depth > 0 => {
                let mut object = Object::new();
                for _ in 0..self.below(4) {
                    let value = self.value(depth - 1);
                    object.set(self.key(), value);
                }
                object.into()
            }
            2 => self.names(),
            _ => self.scalar(),
        }
    }

    fn names(&mut self) -> Json {
        Json::Array((0..self.below(5)).map(|_| self.word()).collect())
    }

    fn scalar(&mut self) -> Json {
        match self.below(4) {
            0 => Json::Null,
            1 => Json::Bool(self.one_in(2)),
            2 => Json::Number(
                self.pick(&["0", "1", "1.0", "1e400", "-0", "12345678901234567890"])
                    .into(),
            ),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Json {
        self.key().into()
    }

    fn key(&mut self) -> &'static str {
        self.pick(&[
            "a",
            "b",
            "c",
            "d",
            "",
            "a/b",
            "m~n",
            "~1",
            "0",
            "10",
            "__proto__",
            "status",
        ])
    }
}

/// Returns whether two values are equal up to the order of keys.
pub(super) fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Object(one), Json::Object(other)) => {
            let (one, other) = (one.index(), other.index());
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        _ => one == other,
    }
}
