//! The texts of a snapshot that users or agents wrote, shown to the search for secrets before it is written.
//!
//! The caller knows what a secret is. A text may be changed. A name or a path counts as a whole, because it would name
//! something else if it was changed: one that holds a secret is left out.

use crate::json::{Json, Object, Pointer};

/// Fields that the program fills in.
const MADE: [&str; 7] = [
    "id",
    "created_at",
    "reason",
    "undo_of",
    "made_by",
    "checkpoint",
    "snapshot",
];

/// The search for secrets. It gets the names of the fields that a text stands in, the innermost last, and the text; a
/// number as it is written. It returns the text without its secrets, `None` where it has none.
pub type TextSearch<'a> = &'a mut dyn FnMut(&[&str], &str) -> Option<String>;

/// The results of the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnapshotTexts {
    /// The number of texts that were changed.
    pub changed: u64,
    /// The places of names that were left out: the object, list or field, which does not say the name.
    pub names: Vec<Pointer>,
    /// The number of paths that were left out.
    pub paths: u64,
}

/// Shows every text of a document, unknown fields included, and takes out what holds a secret.
pub fn search_texts(document: &mut Object, search: TextSearch<'_>) -> SnapshotTexts {
    let mut walk = SnapshotTextWalk {
        search,
        found: SnapshotTexts::default(),
    };
    let root = Pointer::root();
    walk.keys(document, &root);
    for (key, value) in document.iter_mut() {
        let at = root.key(key);
        match key {
            key if MADE.contains(&key) => {}
            "task" => walk.task(value, &at),
            "progress" => walk.progress(value, &at),
            "files" => walk.files(value, &at),
            key => walk.texts(value, &[key], &at),
        }
    }
    walk.found
}

struct SnapshotTextWalk<'a> {
    search: TextSearch<'a>,
    found: SnapshotTexts,
}

impl SnapshotTextWalk<'_> {
    fn holds(&mut self, text: &str) -> bool {
        (self.search)(&[], text).is_some()
    }

    /// Returns whether a value is a name that is to be left out.
    fn is_refused(&mut self, value: Option<&Json>, at: &Pointer) -> bool {
        let name = value.and_then(Json::as_str);
        let is_refused = name.is_some_and(|name| self.holds(name));
        if is_refused {
            self.found.names.push(at.clone());
        }
        is_refused
    }

    /// The names of an object's members.
    fn keys(&mut self, object: &mut Object, at: &Pointer) {
        let keys: Vec<String> = object.iter().map(|(key, _)| key.to_owned()).collect();
        for key in keys {
            if self.holds(&key) {
                object.remove(&key);
                self.found.names.push(at.clone());
            }
        }
    }

    fn task(&mut self, value: &mut Json, at: &Pointer) {
        match value {
            Json::Object(task) => {
                self.keys(task, at);
                for (key, value) in task.iter_mut() {
                    let own = at.key(key);
                    if key != "id" {
                        self.texts(value, &["task", key], &own);
                    } else if self.is_refused(Some(&*value), &own) {
                        *value = Json::Null;
                    }
                }
            }
            other => self.texts(other, &["task"], at),
        }
    }

    fn progress(&mut self, value: &mut Json, at: &Pointer) {
        match value {
            Json::Object(progress) => {
                self.keys(progress, at);
                for (key, value) in progress.iter_mut() {
                    let own = at.key(key);
                    match (key, value) {
                        ("completed", Json::Array(phases)) => self.completed(phases, &own),
                        ("remaining", Json::Array(names)) => {
                            names.retain(|name| !self.is_refused(Some(name), &own));
                        }
                        (key, value) => self.texts(value, &["progress", key], &own),
                    }
                }
            }
            other => self.texts(other, &["progress"], at),
        }
    }

    fn completed(&mut self, phases: &mut Vec<Json>, at: &Pointer) {
        phases.retain(|phase| {
            let name = phase.as_object().and_then(|phase| phase.get("name"));
            !self.is_refused(name, at)
        });
        for phase in phases {
            match phase {
                Json::Object(phase) => {
                    self.keys(phase, at);
                    for (key, value) in phase.iter_mut() {
                        if key != "name" {
                            self.texts(value, &["progress", "completed", key], at);
                        }
                    }
                }
                other => self.texts(other, &["progress", "completed"], at),
            }
        }
    }

    fn files(&mut self, value: &mut Json, at: &Pointer) {
        match value {
            Json::Object(files) => {
                self.keys(files, at);
                for (key, value) in files.iter_mut() {
                    match (key, value) {
                        ("created" | "modified", Json::Array(paths)) => paths.retain(|path| {
                            let is_held = path.as_str().is_some_and(|path| self.holds(path));
                            self.found.paths += u64::from(is_held);
                            !is_held
                        }),
                        (key, value) => self.texts(value, &["files", key], &at.key(key)),
                    }
                }
            }
            other => self.texts(other, &["files"], at),
        }
    }

    /// Every text of a value.
    fn texts(&mut self, value: &mut Json, names: &[&str], at: &Pointer) {
        match value {
            Json::String(text) => {
                if let Some(hidden) = (self.search)(names, text) {
                    *text = hidden;
                    self.found.changed += 1;
                }
            }
            Json::Number(text) => {
                if let Some(hidden) = (self.search)(names, text) {
                    *value = Json::String(hidden);
                    self.found.changed += 1;
                }
            }
            Json::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.texts(item, names, &at.item(index));
                }
            }
            Json::Object(object) => {
                self.keys(object, at);
                for (key, value) in object.iter_mut() {
                    self.texts(value, &[names, &[key]].concat(), &at.key(key));
                }
            }
            Json::Null | Json::Bool(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SnapshotTexts, search_texts};
    use crate::json::{self, Json, Object};

    fn document(text: &str) -> Object {
        match json::read(text.as_bytes()).unwrap().value {
            Json::Object(object) => object,
            other => panic!("{other:?}"),
        }
    }

    /// Looks for `s3cret`, and says what else was shown.
    fn search(document: &mut Object) -> (SnapshotTexts, Vec<String>) {
        let mut seen = Vec::new();
        let found = search_texts(document, &mut |names, text| {
            let hidden = text.contains("s3cret").then(|| text.replace("s3cret", "X"));
            if hidden.is_none() {
                seen.push(format!("{} {text}", names.join(".")));
            }
            hidden
        });
        (found, seen)
    }

    #[test]
    fn a_secret_leaves_every_text_and_a_name_or_path_with_one_is_left_out() {
        let mut next = document(
            r#"{"id": "s3cret", "reason": "s3cret", "message": "a s3cret", "checkpoint": {"command": "s3cret"},
            "task": {"id": "s3cret", "input": "s3cret", "mode": "s3cret"},
            "progress": {"current_phase": 2, "total_phases": 4,
              "completed": [{"phase": 1, "name": "a", "evidence": "s3cret"},
                {"phase": 2, "name": "the s3cret", "evidence": "fine"}],
              "remaining": ["s3cret", "b"]},
            "files": {"created": ["src/s3cret.txt", "a"], "modified": ["s3cret", "s3cret/b"]},
            "decisions": [{"question": "s3cret?", "decision": "b"}],
            "own": {"deep": ["s3cret", {"s3cret": 1, "c": "s3cret"}]}, "s3cret": 1}"#,
        );
        let (found, _) = search(&mut next);
        let names: Vec<_> = found.names.iter().map(ToString::to_string).collect();
        assert_eq!(
            names,
            [
                "",
                "/task/id",
                "/progress/completed",
                "/progress/remaining",
                "/own/deep/1"
            ]
        );
        assert_eq!((found.changed, found.paths), (7, 3));
        let expected = document(
            r#"{"id": "s3cret", "reason": "s3cret", "message": "a X", "checkpoint": {"command": "s3cret"},
            "task": {"id": null, "input": "X", "mode": "X"},
            "progress": {"current_phase": 2, "total_phases": 4,
              "completed": [{"phase": 1, "name": "a", "evidence": "X"}],
              "remaining": ["b"]},
            "files": {"created": ["a"], "modified": []},
            "decisions": [{"question": "X?", "decision": "b"}],
            "own": {"deep": ["X", {"c": "X"}]}}"#,
        );
        assert_eq!(next, expected);
    }

    #[test]
    fn a_document_without_secrets_is_unchanged_and_shown_with_the_names_of_its_fields() {
        let text = r#"{"task": {"id": "t", "input": "i"}, "own": {"password": ["p", 7]},
            "progress": {"completed": [{"phase": 1, "name": "n"}], "remaining": ["r"]},
            "files": {"created": ["f"]}, "n": 1e400}"#;
        let mut next = document(text);
        let (found, seen) = search(&mut next);
        assert_eq!(found, SnapshotTexts::default());
        assert_eq!(next, document(text));
        let texts: Vec<&str> = seen
            .iter()
            .map(String::as_str)
            .filter(|it| !it.starts_with(' '))
            .collect();
        assert_eq!(
            texts,
            [
                "task.input i",
                "own.password p",
                "own.password 7",
                "progress.completed.phase 1",
                "n 1e400",
            ]
        );
        for name in [" t", " n", " r", " f", " password"] {
            assert!(seen.iter().any(|it| it == name), "{name} in {seen:?}");
        }
    }
}
