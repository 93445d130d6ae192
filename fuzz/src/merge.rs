//! Three-way merge: a side that changed nothing takes the other one, a merge without conflict has
//! each side's change, and nothing that both kept is lost.

use std::collections::BTreeSet;

use milepost::checkpoint::command::merge::merge;
use milepost::json::{Json, Object, Pointer};
use milepost::time;

use crate::input::{Result, Unstructured, check, document, one_in};

/// A base, and what two sides made of it.
pub fn run(data: &[u8]) {
    check(data, |u| {
        let base = any(u)?;
        let ours = side(u, &base)?;
        let theirs = side(u, &base)?;
        for side in [&ours, &theirs] {
            takes_the_only_change(&base, side);
        }
        let case = Case {
            base: &base,
            ours: &ours,
            theirs: &theirs,
        };
        let turned = merge(&base, &theirs, &ours);
        match (merge(&base, &ours, &theirs), turned) {
            (Ok(merged), Ok(_)) => case.merged(&merged),
            (Err(conflicts), Err(turned)) => {
                assert_eq!(conflicts, turned, "the sides in the other order");
                case.conflicts(&conflicts);
            }
            (one, other) => panic!("a conflict on one side alone: {one:?} and {other:?}"),
        }
        Ok(())
    });
}

fn any(u: &mut Unstructured<'_>) -> Result<Object> {
    match one_in(u, 4)? {
        true => document::object(u, 3),
        false => document::checkpoint(u),
    }
}

/// Mostly what a writer made of the base; now and then something else.
fn side(u: &mut Unstructured<'_>, base: &Object) -> Result<Object> {
    match one_in(u, 20)? {
        true => any(u),
        false => document::edited(u, base),
    }
}

fn takes_the_only_change(base: &Object, side: &Object) {
    for [one, ours, theirs] in [[base, side, side], [base, base, side], [base, side, base]] {
        assert_eq!(merge(one, ours, theirs).as_ref(), Ok(side));
    }
}

struct Case<'a> {
    base: &'a Object,
    ours: &'a Object,
    theirs: &'a Object,
}

impl Case<'_> {
    fn merged(&self, merged: &Object) {
        keeps_common_keys("", self.ours, self.theirs, merged);
        // Where they changed nothing, it is our document as it is.
        if self.theirs != self.base {
            self.has_keys_in_order(merged);
        }
        let whole = |object: &Object| Some(Json::Object(object.clone()));
        let (base, ours, theirs) = (whole(self.base), whole(self.ours), whole(self.theirs));
        let field = Field {
            base: base.as_ref(),
            ours: ours.as_ref(),
            theirs: theirs.as_ref(),
        };
        let movable = movable(merged, [self.ours, self.theirs]);
        field.expect("", whole(merged).as_ref(), &movable);
    }

    /// Theirs, then those that only we have.
    fn has_keys_in_order(&self, merged: &Object) {
        let ours = self
            .ours
            .iter()
            .filter(|(key, _)| self.theirs.get(key).is_none());
        let keys = self.theirs.iter().chain(ours).map(|(key, _)| key);
        let expected: Vec<&str> = keys.filter(|key| merged.get(key).is_some()).collect();
        let found: Vec<&str> = merged.iter().map(|(key, _)| key).collect();
        assert_eq!(found, expected, "the order of keys");
    }

    fn conflicts(&self, conflicts: &[Pointer]) {
        assert!(!conflicts.is_empty());
        let texts: Vec<&str> = conflicts.iter().map(Pointer::as_str).collect();
        assert!(texts.is_sorted_by(|a, b| a < b), "{texts:?}");
        for at in texts {
            let [base, ours, theirs] = [self.base, self.ours, self.theirs].map(|it| find(it, at));
            assert!(ours != base && theirs != base && ours != theirs, "{at}");
        }
    }
}

/// The value at a JSON pointer that leads through objects alone.
fn find(document: &Object, at: &str) -> Option<Json> {
    let mut value = Json::Object(document.clone());
    for part in at.split('/').skip(1) {
        let key = part.replace("~1", "/").replace("~0", "~");
        value = value.as_object()?.get(&key)?.clone();
    }
    Some(value)
}

fn below(at: &str, key: &str) -> String {
    format!("{at}{}", Pointer::root().key(key))
}

fn keeps_common_keys(at: &str, ours: &Object, theirs: &Object, merged: &Object) {
    for (key, our) in ours.iter() {
        let Some(their) = theirs.get(key) else {
            continue;
        };
        let at = below(at, key);
        let Some(value) = merged.get(key) else {
            assert_eq!(at, "/completed_at", "a key that both have is lost");
            continue;
        };
        if let (Json::Object(our), Json::Object(their), Json::Object(value)) = (our, their, value) {
            keeps_common_keys(&at, our, their, value);
        }
    }
}

/// The phases that merging may move in `state`, where it came to contradict their status: those with
/// an entry, and those that one side finished and the other one had planned.
fn movable<'a>(merged: &'a Object, sides: [&Object; 2]) -> BTreeSet<&'a str> {
    let phases = merged.get("phases").and_then(Json::as_object);
    let entries = phases.into_iter().flat_map(Object::iter);
    let pending: BTreeSet<&str> = sides
        .iter()
        .flat_map(|it| listed(it, "pending_phases"))
        .collect();
    let finished = listed(merged, "completed_phases").filter(|name| pending.contains(name));
    entries.map(|(name, _)| name).chain(finished).collect()
}

fn listed<'a>(document: &'a Object, list: &str) -> impl Iterator<Item = &'a str> {
    let state = document.get("state").and_then(Json::as_object);
    let items = state.and_then(|state| state.get(list)?.as_array());
    items.unwrap_or_default().iter().filter_map(Json::as_str)
}

/// One field in the three documents.
#[derive(Clone, Copy)]
struct Field<'a> {
    base: Option<&'a Json>,
    ours: Option<&'a Json>,
    theirs: Option<&'a Json>,
}

impl Field<'_> {
    /// Checks what the merge made of this field, and of everything below it.
    fn expect(self, at: &str, merged: Option<&Json>, movable: &BTreeSet<&str>) {
        match (at, merged) {
            // Fields in it may have been moved although one side alone changed it.
            ("" | "/state", Some(Json::Object(merged))) => self.expect_below(at, merged, movable),
            ("/completed_at", None) => {}
            ("/state/current_phase", Some(Json::Null)) => {}
            ("/state/completed_phases" | "/state/pending_phases", Some(Json::Array(merged))) => {
                let stay = |item: &&Json| item.as_str().is_none_or(|it| !movable.contains(it));
                let staying = |items: &[Json]| items.iter().filter(stay).cloned().collect();
                let merged: Vec<Json> = staying(merged);
                match self.only_change() {
                    Some(side) => {
                        let side = side.and_then(Json::as_array).unwrap_or_default();
                        assert_eq!(merged, staying(side), "{at}");
                    }
                    None => self.expect_set(at, &merged, &stay),
                }
            }
            _ => self.expect_unmoved(at, merged, movable),
        }
    }

    fn expect_unmoved(self, at: &str, merged: Option<&Json>, movable: &BTreeSet<&str>) {
        if let Some(side) = self.only_change() {
            assert_eq!(merged, side, "{at}");
            return;
        }
        let parts: Vec<&str> = at.split('/').collect();
        match (&parts[1..], merged) {
            (["head_commit"], _) => assert_eq!(merged, self.ours),
            (["revision" | "seal"], _) => assert_eq!(merged, self.theirs),
            (["updated_at"] | ["phases", _, "updated_at"], _) => {
                let time = |value: Option<&Json>| time::parse(value?.as_str()?);
                assert!(merged == self.ours || merged == self.theirs, "{at}");
                assert_eq!(time(merged), time(self.ours).max(time(self.theirs)), "{at}");
            }
            (_, Some(Json::Object(merged))) => self.expect_below(at, merged, movable),
            (_, Some(Json::Array(merged))) => self.expect_set(at, merged, &|_| true),
            _ => panic!("{at}: both changed it, and it is no conflict"),
        }
    }

    /// The value that the field takes where at most one side changed it.
    fn only_change(&self) -> Option<Option<&Json>> {
        if self.ours == self.theirs || self.ours == self.base {
            return Some(self.theirs);
        }
        (self.theirs == self.base).then_some(self.ours)
    }

    fn expect_below(self, at: &str, merged: &Object, movable: &BTreeSet<&str>) {
        let member = |value: Option<&'_ Json>, key: &str| -> Option<Json> {
            value?.as_object()?.get(key).cloned()
        };
        let sides = [self.ours, self.theirs].map(|side| side.and_then(Json::as_object));
        let keys = sides
            .into_iter()
            .flatten()
            .chain([merged])
            .flat_map(Object::iter);
        for (key, _) in keys {
            let [base, ours, theirs] =
                [self.base, self.ours, self.theirs].map(|value| member(value, key));
            let field = Field {
                base: base.as_ref(),
                ours: ours.as_ref(),
                theirs: theirs.as_ref(),
            };
            field.expect(&below(at, key), merged.get(key), movable);
        }
    }

    /// A list that both changed is a set: what both have, and what either added. `looked_at` are
    /// the items that count.
    fn expect_set(self, at: &str, merged: &[Json], looked_at: &dyn Fn(&&Json) -> bool) {
        let set = |value: Option<&Json>| -> BTreeSet<String> {
            let items = value.and_then(Json::as_array).unwrap_or_default();
            let items = items.iter().filter(looked_at);
            items
                .map(|item| item.as_str().expect("only texts merge").to_owned())
                .collect()
        };
        let (base, ours, theirs) = (set(self.base), set(self.ours), set(self.theirs));
        let mut expected: BTreeSet<&String> = ours.intersection(&theirs).collect();
        expected.extend(ours.union(&theirs).filter(|item| !base.contains(*item)));
        let texts: Vec<&str> = merged.iter().filter_map(Json::as_str).collect();
        assert_eq!(texts.len(), expected.len(), "{at}: {texts:?}");
        assert!(
            expected.iter().all(|item| texts.contains(&item.as_str())),
            "{at}: {texts:?}"
        );
    }
}
