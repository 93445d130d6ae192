//! The texts of a run that users or agents wrote, shown to the search for secrets.
//!
//! The caller knows what a secret is. A text that stands at the same place of a document that was
//! stored before is not shown again. A text may be changed; a name or a path counts as a whole, so
//! that a name is refused, and a path is left out of its list.

use crate::json::{Json, Object, Pointer};
use crate::str_map::StrSet;

/// The purpose of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// It is read by people and agents.
    Text,
    /// It names a feature, a phase, a session or a field.
    Name,
    /// It says where something is: a file, a branch, a worktree.
    Path,
}

/// A text of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunText<'a> {
    /// Its purpose.
    pub kind: TextKind,
    /// The names of the fields that it stands in and that no schema has, the innermost last.
    pub names: &'a [&'a str],
    /// The text itself. A number in such a field is shown as it is written.
    pub text: &'a str,
}

/// The finding about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextVerdict {
    /// There is no secret in it.
    Fine,
    /// This is to stand in its place, where it is not a name or a path.
    Secret(String),
}

/// The search for secrets.
pub type Classifier<'a> = &'a mut dyn FnMut(RunText<'_>) -> TextVerdict;

/// The results for names and paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextScan {
    /// The places of names that hold a secret: the object, list or field, which does not say the
    /// name.
    pub refused: Vec<Pointer>,
    /// The number of paths that were left out.
    pub left_out: u64,
}

/// Shows what is new in a run since these documents, of which the first two count, and changes what is to be changed.
pub fn scan_texts(run: &mut Object, before: &[&Object], classify: Classifier<'_>) -> TextScan {
    // A phase has its name from its key, which is looked at there.
    let phases = run.get("phases").and_then(Json::as_object);
    let phases = phases.into_iter().flat_map(Object::iter);
    let phases: Vec<String> = phases.map(|(name, _)| name.to_owned()).collect();
    let phases: StrSet<'_> = phases.iter().map(String::as_str).collect();
    let mut walk = RunTextWalk {
        classify,
        scan: TextScan::default(),
    };
    let mut gone = Vec::new();
    for (key, value) in run.iter_mut() {
        let known = [0, 1].map(|at| before.get(at).and_then(|it| it.get(key)));
        if is_known(known, value) {
            continue;
        }
        let at = Pointer::root().key(key);
        match key {
            "version" | "started_at" | "updated_at" | "completed_at" | "removed_at"
            | "restores" | "revision" | "seal" => {}
            "feature" | "renamed_to" => walk.name(value, &at),
            "branch" | "worktree" => {
                if walk.is_secret(value, TextKind::Path) {
                    gone.push(key.to_owned());
                }
            }
            "files_outside" => walk.paths(value, known),
            "state" => walk.state(value, (&at, &phases), known),
            "phases" => walk.phases(value, &at, known),
            "agent_sessions" => walk.sessions(value, &at, known),
            "command" | "head_commit" | "gate" | "plan" | "renamed_from" | "brought_from"
            | "token_budget" => {
                walk.texts(value, &[], &at, known);
            }
            _ => walk.unknown(key, value, (&Pointer::root(), &at), known),
        }
    }
    for key in gone {
        run.remove(&key);
        walk.scan.left_out += 1;
    }
    walk.scan
}

/// The value at a place in each of two documents.
type KnownValues<'a> = [Option<&'a Json>; 2];

fn is_known(known: KnownValues<'_>, value: &Json) -> bool {
    known.into_iter().flatten().any(|it| it == value)
}

fn member<'a>(known: KnownValues<'a>, key: &str) -> KnownValues<'a> {
    known.map(|it| it?.as_object()?.get(key))
}

fn item(known: KnownValues<'_>, index: usize) -> KnownValues<'_> {
    known.map(|it| it?.as_array()?.get(index))
}

struct RunTextWalk<'a> {
    classify: Classifier<'a>,
    scan: TextScan,
}

impl RunTextWalk<'_> {
    fn is_secret(&mut self, value: &Json, kind: TextKind) -> bool {
        value.as_str().is_some_and(|text| self.holds(text, kind))
    }

    fn holds(&mut self, text: &str, kind: TextKind) -> bool {
        let shown = RunText {
            kind,
            names: &[],
            text,
        };
        (self.classify)(shown) != TextVerdict::Fine
    }

    /// A value that is a name.
    fn name(&mut self, value: &Json, at: &Pointer) {
        if self.is_secret(value, TextKind::Name) {
            self.scan.refused.push(at.clone());
        }
    }

    /// A key of an object, at a place that does not say it.
    fn key(&mut self, key: &str, parent: &Pointer, known: KnownValues<'_>) {
        let is_new = known.iter().all(Option::is_none);
        if is_new && self.holds(key, TextKind::Name) {
            self.scan.refused.push(parent.clone());
        }
    }

    /// A list of names, or one, which are not those of these phases.
    fn names(&mut self, value: &Json, at: &Pointer, phases: &StrSet<'_>) {
        let names = match value {
            Json::Array(items) => items.as_slice(),
            other => std::slice::from_ref(other),
        };
        for name in names {
            let is_of_phase = name.as_str().is_some_and(|name| phases.contains(name));
            if !is_of_phase {
                self.name(name, at);
            }
        }
    }

    /// A list of paths.
    fn paths(&mut self, value: &mut Json, known: KnownValues<'_>) {
        let Json::Array(items) = value else { return };
        let mut kept = Vec::with_capacity(items.len());
        for (index, path) in std::mem::take(items).into_iter().enumerate() {
            let is_old = is_known(item(known, index), &path) || is_in_list(known, &path);
            match !is_old && self.is_secret(&path, TextKind::Path) {
                true => self.scan.left_out += 1,
                false => kept.push(path),
            }
        }
        *items = kept;
    }

    fn state(
        &mut self,
        value: &mut Json,
        (at, phases): (&Pointer, &StrSet<'_>),
        known: KnownValues<'_>,
    ) {
        let Json::Object(state) = value else { return };
        for (key, value) in state.iter_mut() {
            let known = member(known, key);
            if is_known(known, value) {
                continue;
            }
            let own = at.key(key);
            match key {
                "current_phase" | "completed_phases" | "pending_phases" => {
                    self.names(value, &own, phases);
                }
                "current_task" | "context_summary" => self.texts(value, &[], &own, known),
                _ => self.unknown(key, value, (at, &own), known),
            }
        }
    }

    fn phases(&mut self, value: &mut Json, at: &Pointer, known: KnownValues<'_>) {
        let Json::Object(phases) = value else { return };
        for (name, phase) in phases.iter_mut() {
            let known = member(known, name);
            if is_known(known, phase) {
                continue;
            }
            self.key(name, at, known);
            let Json::Object(phase) = phase else { continue };
            for (key, value) in phase.iter_mut() {
                let known = member(known, key);
                if is_known(known, value) {
                    continue;
                }
                match key {
                    "status" | "started_at" | "updated_at" => {}
                    "files_created" | "files_modified" => self.paths(value, known),
                    "context_summary" | "error" | "summary_source" | "agent_task"
                    | "subagent_summaries" => self.texts(value, &[], at, known),
                    _ => self.unknown(key, value, (at, at), known),
                }
            }
        }
    }

    fn sessions(&mut self, value: &mut Json, at: &Pointer, known: KnownValues<'_>) {
        let Json::Object(sessions) = value else {
            return;
        };
        for (id, session) in sessions.iter_mut() {
            let known = member(known, id);
            self.key(id, at, known);
            let Json::Object(session) = session else {
                continue;
            };
            for (key, value) in session.iter_mut() {
                let known = member(known, key);
                if let ("turn", Json::Object(turn)) = (key, &mut *value)
                    && let Some(created) = turn.get_mut("created")
                {
                    self.paths(created, member(known, "created"));
                }
                self.texts(value, &[], at, known);
            }
        }
    }

    /// A member that no schema has.
    fn unknown(
        &mut self,
        key: &str,
        value: &mut Json,
        (parent, at): (&Pointer, &Pointer),
        known: KnownValues<'_>,
    ) {
        self.key(key, parent, known);
        self.texts(value, &[key], at, known);
    }

    /// Every text of a value.
    fn texts(&mut self, value: &mut Json, names: &[&str], at: &Pointer, known: KnownValues<'_>) {
        if is_known(known, value) {
            return;
        }
        match value {
            Json::String(text) => {
                let shown = RunText {
                    kind: TextKind::Text,
                    names,
                    text,
                };
                if let TextVerdict::Secret(hidden) = (self.classify)(shown) {
                    *text = hidden;
                }
            }
            // In a field that a schema has, a number is a number.
            Json::Number(text) if !names.is_empty() => {
                let shown = RunText {
                    kind: TextKind::Text,
                    names,
                    text,
                };
                if let TextVerdict::Secret(hidden) = (self.classify)(shown) {
                    *value = Json::String(hidden);
                }
            }
            Json::Array(items) => {
                for (index, value) in items.iter_mut().enumerate() {
                    self.texts(value, names, at, item(known, index));
                }
            }
            Json::Object(object) => {
                for (key, value) in object.iter_mut() {
                    let known = member(known, key);
                    self.key(key, at, known);
                    match names.is_empty() {
                        true => self.texts(value, names, at, known),
                        false => self.texts(value, &[names, &[key]].concat(), at, known),
                    }
                }
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
}

fn is_in_list(known: KnownValues<'_>, value: &Json) -> bool {
    let mut lists = known.into_iter().flatten().filter_map(Json::as_array);
    lists.any(|list| list.contains(value))
}

#[cfg(test)]
mod tests {
    use super::{RunText, TextScan, TextVerdict, scan_texts};
    use crate::json::{self, Json, Object};

    fn run(text: &str) -> Object {
        match json::read(text.as_bytes()).unwrap().value {
            Json::Object(object) => object,
            other => panic!("{other:?}"),
        }
    }

    /// Looks for `s3cret`, and says what was shown.
    fn scan(next: &mut Object, before: &[&Object]) -> (TextScan, Vec<String>) {
        let mut seen = Vec::new();
        let scan = scan_texts(next, before, &mut |shown: RunText<'_>| {
            seen.push(format!(
                "{:?} {} {}",
                shown.kind,
                shown.names.join("."),
                shown.text
            ));
            match shown.text.contains("s3cret") {
                true => TextVerdict::Secret(shown.text.replace("s3cret", "X")),
                false => TextVerdict::Fine,
            }
        });
        (scan, seen)
    }

    #[test]
    fn a_secret_leaves_every_text_and_list_of_paths_and_every_name_with_one_is_refused() {
        let mut next = run(
            r#"{"command": "design", "feature": "a-s3cret", "branch": "s3cret",
            "state": {"current_phase": "the s3cret", "completed_phases": [], "pending_phases": ["s3cret"],
              "current_task": "s3cret", "context_summary": "a s3cret"},
            "phases": {"the s3cret": {"status": "pending", "context_summary": "s3cret", "error": "s3cret",
              "files_created": ["a", "s3cret", "b"], "own": {"deep": ["s3cret", 7]},
              "agent_task": {"text": "s3cret"}, "subagent_summaries": [{"summary": "s3cret"}]}},
            "gate": {"ship_allowed": false, "blockers": ["s3cret"]}, "plan": "s3cret",
            "files_outside": ["s3cret", "/a"],
            "agent_sessions": {"s3cret": {"agent": "x", "turn": {"created": ["s3cret"], "completed": ["s3cret"]}}},
            "own": "s3cret", "s3cret": 1}"#,
        );
        let (found, _) = scan(&mut next, &[]);
        let refused: Vec<_> = found.refused.iter().map(ToString::to_string).collect();
        assert_eq!(
            refused,
            [
                "/feature",
                "/state/pending_phases",
                "/phases",
                "/agent_sessions",
                ""
            ]
        );
        assert_eq!(found.left_out, 4);
        let expected = run(r#"{"command": "design", "feature": "a-s3cret",
            "state": {"current_phase": "the s3cret", "completed_phases": [], "pending_phases": ["s3cret"],
              "current_task": "X", "context_summary": "a X"},
            "phases": {"the s3cret": {"status": "pending", "context_summary": "X", "error": "X",
              "files_created": ["a", "b"], "own": {"deep": ["X", 7]},
              "agent_task": {"text": "X"}, "subagent_summaries": [{"summary": "X"}]}},
            "gate": {"ship_allowed": false, "blockers": ["X"]}, "plan": "X",
            "files_outside": ["/a"],
            "agent_sessions": {"s3cret": {"agent": "x", "turn": {"created": [], "completed": ["X"]}}},
            "own": "X", "s3cret": 1}"#);
        assert_eq!(next, expected);
    }

    #[test]
    fn a_text_that_was_stored_before_is_not_shown_again() {
        let before = run(
            r#"{"feature": "s3cret", "plan": "s3cret", "phases": {"s3cret": {"status": "pending",
            "context_summary": "s3cret", "files_modified": ["s3cret", "a"]}}, "own": ["s3cret"]}"#,
        );
        let mut next = before.clone();
        assert_eq!(
            scan(&mut next, &[&before]),
            (TextScan::default(), Vec::new())
        );
        let mut next = run(
            r#"{"feature": "s3cret", "plan": "s3cret", "phases": {"s3cret": {"status": "complete",
            "context_summary": "s3cret", "files_modified": ["b", "s3cret", "a"]}}, "own": ["s3cret", "c"]}"#,
        );
        let (found, seen) = scan(&mut next, &[&Object::new(), &before]);
        assert_eq!(found, TextScan::default());
        assert_eq!(seen, ["Path  b", "Text own c"]);
    }

    #[test]
    fn fields_that_no_schema_has_are_shown_with_their_names_and_phases_are_no_fields() {
        let mut next = run(
            r#"{"phases": {"password": {"status": "pending", "error": "e", "token": 7}},
            "access": {"token": "t", "count": 3}, "token_budget": {"limit": 500}}"#,
        );
        let (_, seen) = scan(&mut next, &[]);
        assert_eq!(
            seen,
            [
                "Name  password",
                "Text  e",
                "Name  token",
                "Text token 7",
                "Name  access",
                "Name  token",
                "Text access.token t",
                "Name  count",
                "Text access.count 3",
                "Name  limit",
            ]
        );
    }
}
