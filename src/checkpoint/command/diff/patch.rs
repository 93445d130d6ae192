//! The difference of two documents as a JSON Patch (RFC 6902).

use crate::json::{Json, Object, Pointer};
use crate::schema::Shaped;

/// The operations `add`, `remove` and `replace` that turn `before` into `after`, up to the order
/// of keys, which a patch cannot carry.
///
/// Numbers that are written differently differ. In a list, the common items at both ends stay, and
/// the items between are replaced one by one; the patch is right, not the shortest.
pub fn json_patch(before: &Object, after: &Object) -> Json {
    let mut operations = Vec::new();
    compare_objects(&Pointer::root(), before, after, &mut operations);
    Json::Array(operations)
}

/// One operation of a JSON Patch.
#[derive(Shaped)]
pub struct PatchStep {
    /// The operation.
    op: PatchOperation,
    /// JSON pointer to the place.
    path: String,
    /// The new value.
    #[shape(left_out)]
    value: Option<Json>,
}

#[derive(Clone, Copy, Shaped)]
enum PatchOperation {
    Add,
    Remove,
    Replace,
}

fn compare_objects(at: &Pointer, before: &Object, after: &Object, operations: &mut Vec<Json>) {
    for (key, before, after) in before.differing(after) {
        match (before, after) {
            (Some(before), Some(after)) => compare(|| at.key(key), before, after, operations),
            (Some(_), None) => {
                operations.push(operation(PatchOperation::Remove, &at.key(key), None));
            }
            (None, after) => operations.push(operation(PatchOperation::Add, &at.key(key), after)),
        }
    }
}

fn compare_lists(at: &Pointer, before: &[Json], after: &[Json], operations: &mut Vec<Json>) {
    let start = common(before.iter(), after.iter());
    let end = common(before[start..].iter().rev(), after[start..].iter().rev());
    let before = &before[start..before.len() - end];
    let after = &after[start..after.len() - end];

    for (index, (old, new)) in before.iter().zip(after).enumerate() {
        compare(|| at.item(start + index), old, new, operations);
    }
    // From the end, so that no removal moves what a later one names.
    for index in (after.len()..before.len()).rev() {
        operations.push(operation(
            PatchOperation::Remove,
            &at.item(start + index),
            None,
        ));
    }
    for (index, value) in after.iter().enumerate().skip(before.len()) {
        operations.push(operation(
            PatchOperation::Add,
            &at.item(start + index),
            Some(value),
        ));
    }
}

fn common<'a>(
    before: impl Iterator<Item = &'a Json>,
    after: impl Iterator<Item = &'a Json>,
) -> usize {
    before
        .zip(after)
        .take_while(|(old, new)| old == new)
        .count()
}

fn compare(at: impl Fn() -> Pointer, before: &Json, after: &Json, operations: &mut Vec<Json>) {
    if before == after {
        return;
    }
    match (before, after) {
        (Json::Object(before), Json::Object(after)) => {
            compare_objects(&at(), before, after, operations);
        }
        (Json::Array(before), Json::Array(after)) => {
            compare_lists(&at(), before, after, operations);
        }
        _ => operations.push(operation(PatchOperation::Replace, &at(), Some(after))),
    }
}

fn operation(op: PatchOperation, path: &Pointer, value: Option<&Json>) -> Json {
    let step = PatchStep {
        op,
        path: path.as_str().to_owned(),
        value: value.cloned(),
    };
    step.into()
}

#[cfg(test)]
mod tests {
    use super::json_patch;
    use crate::checkpoint::command::sample::{Random, same};
    use crate::json::{self, Json, Object};

    /// An applier that shares nothing with the code under test but the type of values.
    fn apply(document: &mut Json, patch: &Json) {
        for operation in patch.as_array().unwrap() {
            let operation = operation.as_object().unwrap();
            let path = operation.get("path").unwrap().as_str().unwrap();
            let (parent, last) = path.rsplit_once('/').unwrap();
            let key = last.replace("~1", "/").replace("~0", "~");
            let value = operation.get("value").cloned();
            match (
                operation.get("op").unwrap().as_str().unwrap(),
                find(document, parent),
            ) {
                ("add", Json::Object(object)) => {
                    assert!(object.get(&key).is_none(), "{path} is there");
                    object.set(&key, value.unwrap());
                }
                ("replace", Json::Object(object)) => {
                    *object.get_mut(&key).unwrap() = value.unwrap();
                }
                ("remove", Json::Object(object)) => {
                    object.remove(&key).unwrap();
                }
                ("add", Json::Array(items)) => {
                    items.insert(key.parse().unwrap(), value.unwrap());
                }
                ("replace", Json::Array(items)) => {
                    items[key.parse::<usize>().unwrap()] = value.unwrap();
                }
                ("remove", Json::Array(items)) => {
                    items.remove(key.parse().unwrap());
                }
                (op, _) => panic!("{op} at {path}"),
            }
        }
    }

    fn find<'a>(mut value: &'a mut Json, path: &str) -> &'a mut Json {
        for part in path.split('/').skip(1) {
            let key = part.replace("~1", "/").replace("~0", "~");
            value = match value {
                Json::Object(object) => object.get_mut(&key).unwrap(),
                Json::Array(items) => &mut items[key.parse::<usize>().unwrap()],
                _ => panic!("nothing at {path}"),
            };
        }
        value
    }

    fn object(text: &str) -> Object {
        let value = json::read(text.as_bytes()).unwrap().value;
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_patch_turns_every_before_into_its_after() {
        for seed in 0..5_000 {
            let _run = milepost_property::seed("a patch turns every before into its after", seed);
            let mut random = Random::new(seed);
            let before = random.document();
            let after = match seed % 4 {
                0 => random.document(),
                _ => random.altered(&before),
            };
            let patch = json_patch(&before, &after);
            let mut patched = Json::Object(before);
            apply(&mut patched, &patch);
            assert!(
                same(&patched, &Json::Object(after)),
                "seed {seed}: {}",
                patch.to_line()
            );
        }
    }

    #[test]
    fn odd_keys_are_escaped_and_kept_apart_from_indices() {
        let before = object(r#"{"": 1, "a/b": 1, "m~n": 1, "0": 1, "__proto__": {"x": 1}}"#);
        let after = object(r#"{"": 2, "a/b": 2, "m~n": 2, "-": 1, "__proto__": {}}"#);
        assert_eq!(
            json_patch(&before, &after).to_line(),
            concat!(
                r#"[{"op":"replace","path":"/","value":2},"#,
                r#"{"op":"replace","path":"/a~1b","value":2},"#,
                r#"{"op":"replace","path":"/m~0n","value":2},"#,
                r#"{"op":"remove","path":"/0"},"#,
                r#"{"op":"remove","path":"/__proto__/x"},"#,
                r#"{"op":"add","path":"/-","value":1}]"#,
            )
        );
    }

    #[test]
    fn an_item_in_the_middle_of_a_list_is_one_operation() {
        let patch =
            |before: &str, after: &str| json_patch(&object(before), &object(after)).to_line();
        assert_eq!(
            patch(r#"{"a": [1, 2, 3, 4]}"#, r#"{"a": [1, 3, 4]}"#),
            r#"[{"op":"remove","path":"/a/1"}]"#
        );
        assert_eq!(
            patch(r#"{"a": [1, 3, 4]}"#, r#"{"a": [1, 2, 3, 4]}"#),
            r#"[{"op":"add","path":"/a/1","value":2}]"#
        );
        assert_eq!(
            patch(r#"{"a": [1, {"b": 1}, 4]}"#, r#"{"a": [1, {"b": 2}, 4]}"#),
            r#"[{"op":"replace","path":"/a/1/b","value":2}]"#
        );
    }

    #[test]
    fn numbers_keep_their_spelling() {
        let patch = json_patch(&object(r#"{"a": 1.0}"#), &object(r#"{"a": 1e400}"#));
        assert_eq!(
            patch.to_line(),
            r#"[{"op":"replace","path":"/a","value":1e400}]"#
        );
    }
}
