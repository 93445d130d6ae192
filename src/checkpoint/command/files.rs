//! The files of a run.

use std::collections::BTreeSet;

use crate::json::{Json, Object};

/// The files that the phases of a run list, each once, in the order of their names.
pub fn files(run: &Object) -> Vec<&str> {
    let phases = run.get("phases").and_then(Json::as_object);
    let phases = phases.into_iter().flat_map(Object::iter);
    let lists = phases
        .filter_map(|(_, phase)| phase.as_object())
        .flat_map(|phase| {
            ["files_created", "files_modified"].map(|key| {
                let list = phase.get(key).and_then(Json::as_array);
                list.unwrap_or_default()
            })
        });
    let files: BTreeSet<&str> = lists.flatten().filter_map(Json::as_str).collect();
    files.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::files;
    use crate::json;

    #[test]
    fn a_file_of_two_phases_is_one_file() {
        let run = r#"{"phases": {"a": {"files_created": ["x", "y"]}, "b": {"files_modified": ["x", 7]}, "c": 1}}"#;
        let run = json::read(run.as_bytes()).unwrap().value;
        assert_eq!(files(run.as_object().unwrap()), ["x", "y"]);
    }
}
