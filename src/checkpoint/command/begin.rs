//! Beginning a command with the phases of its plan, in one change.

use super::document::Draft;
use super::lists::move_phases;
use super::phases::{part, reopen, unusable};
use super::status::Status;
use crate::error::Error;
use crate::json::{Json, Object, Pointer};
use crate::schema::check_name;
use crate::str_map::StrMap;

/// The phases that a command begins with, in order.
#[derive(Clone, Debug)]
pub struct PhasePlan<'a> {
    phases: Vec<&'a str>,
    task: Option<&'a str>,
}

impl<'a> PhasePlan<'a> {
    /// Checks a plan by itself, so that one that no document can take is refused before any is
    /// looked at. A phase that is named twice counts at its first place.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for a plan without phases; [`Error::invalid_name`] for a name that no phase
    /// can have, with its place in the plan.
    pub fn new(phases: &[&'a str], task: Option<&'a str>) -> Result<Self, Error> {
        if phases.is_empty() {
            let message = "Expected `phases` to name at least one phase";
            return Err(Error::usage(message.to_owned()));
        }
        for (at, phase) in phases.iter().enumerate() {
            check_name(phase).map_err(|rule| {
                let number = at + 1;
                Error::invalid_name(sentence!("Name of phase {number} is invalid: {rule}"))
            })?;
        }
        let places = || phases.iter().copied().enumerate();
        let first: StrMap<'_, usize> = places().map(|(at, phase)| (phase, at)).collect();
        let is_first = |(at, phase): &(usize, &str)| first.get(phase) == Some(at);
        let phases = places().filter(is_first).map(|(_, phase)| phase).collect();
        Ok(PhasePlan { phases, task })
    }

    /// Returns the phases, each once.
    pub fn phases(&self) -> &[&'a str] {
        &self.phases
    }

    /// Adds the phases that the draft does not have, as the table of statuses has it for pending;
    /// all others stay as they are. A completed checkpoint is opened again first, as [`reopen`] does.
    ///
    /// A member that it has to change and that is absent is made. Anything else that breaks the
    /// schema is left alone, for the check of the draft.
    ///
    /// # Errors
    ///
    /// [`Error::invalid_document`] with what has to change and is of the wrong kind: `state`, one of
    /// its lists, or `phases`. The draft is then of no use.
    pub fn apply(&self, draft: &mut Draft, now: &str) -> Result<(), Error> {
        reopen(draft)?;
        let document = draft.as_object_mut();
        let phases = part(document, "phases", &Pointer::root())?;
        let new = self.missing_in(phases);
        let pending = Object::new()
            .with("status", Status::Pending.as_str())
            .with("started_at", now)
            .with("updated_at", now);
        let pending = Json::Object(pending);
        let before = std::mem::take(phases);
        let added = new.iter().map(|phase| (*phase, &pending));
        let all = before.iter().chain(added);
        *phases = all.map(|(phase, it)| (phase, it.clone())).collect();

        let state = part(document, "state", &Pointer::root())?;
        expect_list(state, "completed_phases")?;
        expect_list(state, "pending_phases")?;
        let new = new.into_iter().map(|phase| (phase, Status::Pending));
        move_phases(state, &new.collect());
        if let Some(task) = self.task {
            state.set("current_task", task);
        }
        document.set("updated_at", now);
        Ok(())
    }

    fn missing_in(&self, phases: &Object) -> Vec<&'a str> {
        let known = phases.index();
        let phases = self.phases.iter().copied();
        phases.filter(|phase| !known.contains(phase)).collect()
    }
}

/// Makes a list of the state where it is absent.
fn expect_list(state: &mut Object, key: &str) -> Result<(), Error> {
    if state.get(key).is_none() {
        state.set(key, Json::Array(Vec::new()));
    }
    match state.get(key) {
        Some(Json::Array(_)) => Ok(()),
        other => {
            let at = Pointer::root().key("state").key(key);
            Err(unusable(at, "a list", other.map_or("null", Json::kind)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PhasePlan;
    use crate::checkpoint::command::document::{Draft, RunDocument};
    use crate::checkpoint::command::phases::Update;
    use crate::error::{Code, Error};
    use crate::json::{self, Object};

    const THEN: &str = "2026-01-29T10:00:00.000Z";
    const NOW: &str = "2026-01-29T12:00:00.000Z";

    fn draft(text: &str) -> Draft {
        let value = json::read(text.as_bytes()).unwrap().value;
        Draft::from(value.as_object().unwrap().clone())
    }

    fn begun(before: &Draft, phases: &[&str], task: Option<&str>) -> Result<Object, Error> {
        let mut after = before.clone();
        PhasePlan::new(phases, task)?.apply(&mut after, NOW)?;
        Ok(after.as_object_mut().clone())
    }

    /// One update after another, of the phases that are not there.
    fn updated(before: &Draft, phases: &[&str]) -> Object {
        let mut after = before.clone();
        for phase in phases {
            let known = after.as_object_mut().get("phases");
            if known.is_none_or(|it| it.as_object().unwrap().get(phase).is_none()) {
                let nothing = Object::new();
                let update = Update::new(phase, &nothing, None).unwrap();
                update.apply(&mut after, NOW).unwrap();
            }
        }
        after.as_object_mut().clone()
    }

    #[test]
    fn begin_adds_each_missing_phase_as_an_update_of_it_does() {
        let empty = RunDocument::new("design", None, THEN);
        let documents = [
            Draft::from(empty),
            draft("{}"),
            draft(
                r#"{"state":{"current_phase":"b","completed_phases":["a","x"],"pending_phases":["c"]}}"#,
            ),
            draft(
                r#"{"completed_at":"2026-01-29T10:00:00.000Z","phases":{"b":{"status":"failed","error":"no"},
                "z":{"status":"complete"}},"state":{"current_phase":"b","completed_phases":["z"],"pending_phases":[]}}"#,
            ),
        ];
        for document in &documents {
            for phases in [&["a"][..], &["c", "a", "b"], &["b", "z", "b", "a", "a"]] {
                let mut one_by_one = updated(document, phases);
                // Where nothing is missing, no update was made.
                one_by_one.remove("completed_at");
                one_by_one.set("updated_at", NOW);
                let together = begun(document, phases, None).unwrap();
                assert_eq!(
                    json::Json::Object(together).to_line(),
                    json::Json::Object(one_by_one).to_line(),
                    "{phases:?}"
                );
            }
        }
    }

    #[test]
    fn begin_leaves_known_phases_unchanged() {
        let phases =
            r#"{"a":{"status":"complete","updated_at":"2026-01-29T10:00:00.000Z","own":1}}"#;
        let document = draft(&format!(
            r#"{{"phases":{phases},"state":{{"completed_phases":["a"],"pending_phases":[]}}}}"#
        ));
        let after = begun(&document, &["a"], Some("T2")).unwrap();
        assert_eq!(after.get("phases").unwrap().to_line(), phases);
        let task = after.get("state").unwrap().as_object().unwrap();
        assert_eq!(task.get("current_task").unwrap().as_str(), Some("T2"));
    }

    #[test]
    fn a_plan_that_no_document_can_take_is_refused() {
        let code = |phases: &[&str]| PhasePlan::new(phases, None).unwrap_err().code();
        assert_eq!(code(&[]), Code::Usage);
        for name in ["", "a\n", &"x".repeat(101)] {
            assert_eq!(code(&["a", name]), Code::InvalidName);
        }
        let error = PhasePlan::new(&["a", ""], None).unwrap_err();
        assert!(error.to_string().contains("phase 2"), "{error}");
        let odd = draft(r#"{"phases":{},"state":{"pending_phases":"a"}}"#);
        assert_eq!(
            begun(&odd, &["a"], None).unwrap_err().code(),
            Code::InvalidDocument
        );
    }

    #[test]
    fn ten_thousand_phases_keep_their_order() {
        let names: Vec<String> = (0..10_000).map(|at| format!("phase {at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let after = begun(&draft("{}"), &names, None).unwrap();
        let pending = after.get("state").unwrap().as_object().unwrap();
        let pending = pending.get("pending_phases").unwrap().as_array().unwrap();
        let pending: Vec<&str> = pending.iter().filter_map(json::Json::as_str).collect();
        assert_eq!(pending, names);
    }
}
