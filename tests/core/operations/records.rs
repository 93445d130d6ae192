//! The operations over records: the same requests have the same replies as over files.

use milepost::json::{self, Json, Object};

use super::{HEAD, world};
use crate::memory::Memory;

const RECORD: &str = "/repo/.claude/state/design-checkpoint";
const FILE: &str = "/repo/.claude/state/design-checkpoint.json";

/// Two worlds that get the same requests at the same times.
struct Both {
    files: Memory,
    records: Memory,
}

impl Both {
    fn new() -> Self {
        Both {
            files: world(),
            records: world(),
        }
    }

    /// The reply, which both worlds have to give.
    fn ask(&self, operation: &str, more: &[(&str, Json)]) -> Object {
        let replies =
            [("files", &self.files), ("records", &self.records)].map(|(storage, world)| {
                let now_ms = world.now_ms.get();
                let reply = ask(world, storage, operation, more);
                world.now_ms.set(now_ms + 1000.0);
                // A record has no ending.
                reply
                    .replace(".json is", " is")
                    .replace("checkpoint.json", "checkpoint")
            });
        assert_eq!(replies[0], replies[1], "{operation} {more:?}");
        match json::read(replies[0].as_bytes()).unwrap().value {
            Json::Object(reply) => reply,
            other => panic!("{other:?}"),
        }
    }

    fn done(&self, operation: &str, more: &[(&str, Json)]) -> Json {
        super::value(&self.ask(operation, more)).clone()
    }

    fn refused(&self, code: &str, operation: &str, more: &[(&str, Json)]) {
        assert_eq!(super::code(&self.ask(operation, more)), code, "{operation}");
    }

    fn phase(&self, name: &str, patch: &str) -> Json {
        let patch = json::read(patch.as_bytes()).unwrap().value;
        self.done("update_phase", &[("phase", name.into()), ("patch", patch)])
    }
}

fn ask(world: &Memory, storage: &str, operation: &str, more: &[(&str, Json)]) -> String {
    let place = Object::new()
        .with("working", "/repo")
        .with("storage", storage);
    let mut request = Object::new()
        .with("operation", operation)
        .with("place", place)
        .with("command", "design");
    for (key, value) in more {
        request.set(key, value.clone());
    }
    world.ask(Json::Object(request).to_line().as_bytes())
}

fn member<'a>(value: &'a Json, key: &str) -> &'a Json {
    value.as_object().unwrap().get(key).unwrap()
}

fn text(loaded: &Json) -> &str {
    member(loaded, "text").as_str().unwrap()
}

#[test]
fn every_operation_replies_as_it_does_over_files() {
    let both = Both::new();
    assert_eq!(both.done("load", &[]), Json::Null);
    for operation in ["complete", "gate", "log", "undo", "prune", "recover"] {
        both.refused("not_found", operation, &[]);
    }
    both.phase(
        "research",
        r#"{"status":"complete","context_summary":"found"}"#,
    );
    both.phase("plan", r#"{"status":"in_progress"}"#);
    both.done("resume_point", &[]);
    both.done("latest", &[]);
    assert_eq!(both.done("list", &[]).as_array().unwrap().len(), 1);
    both.done("gate", &[]);

    // Changes of two writers since one base are merged, unless they are equal.
    let base = both.done("load", &[]);
    both.phase("research", r#"{"status":"complete","notes":"theirs"}"#);
    let plan = text(&base).replace("\"status\": \"in_progress\"", "\"status\": \"complete\"");
    let merged = both.done("save", &[("text", plan.as_str().into())]);
    assert_eq!(member(&merged, "merged").as_bool(), Some(true));
    let clash = text(&base).replace("\"found\"", "\"mine\"");
    both.phase(
        "research",
        r#"{"status":"complete","context_summary":"theirs"}"#,
    );
    both.refused("conflict", "save", &[("text", clash.as_str().into())]);

    both.done("log", &[]);
    both.done("diff", &[("from", 2_u64.into())]);
    both.done("load", &[("revision", 2_u64.into())]);
    let undone = both.done("undo", &[]);
    assert_eq!(member(&undone, "restored").as_u64(), Some(4));
    both.refused(
        "conflict",
        "undo",
        &[("revision", 1_u64.into()), ("seal", "x".into())],
    );
    both.done("undo", &[("to", 1_u64.into())]);
    both.refused("not_found", "undo", &[("to", 77_u64.into())]);
    both.done("complete", &[]);
    let again = both.done("complete", &[]);
    assert_eq!(member(&again, "changed").as_bool(), Some(false));
    for number in 0..20 {
        both.phase(&format!("p{number}"), r#"{"status":"complete"}"#);
    }
    for _ in 0..20 {
        both.phase("p19", r#"{"status":"complete"}"#);
    }
    both.done("prune", &[("revisions", 10_u64.into())]);
    both.done("log", &[]);
    both.refused("not_found", "recover", &[]);
    both.done("rename", &[("to", "other".into())]);
    assert_eq!(both.done("load", &[]), Json::Null);
    both.done("log", &[("feature", "other".into())]);
    both.phase("a", "{}");
    both.refused("conflict", "rename", &[("to", "other".into())]);
    assert_eq!(both.records.files_below("/repo/.claude"), [""; 0]);
    assert!(HEAD.len() == 40 && text(&both.done("load", &[])).contains(HEAD));
}

#[test]
fn a_corrupt_record_comes_back_from_its_history_and_is_kept() {
    let both = Both::new();
    for name in ["a", "b", "c"] {
        both.phase(name, "{}");
    }
    both.files.put(FILE, "{ torn");
    let torn = Some(&b"{ torn"[..]);
    both.records.disk.borrow_mut().records.put(RECORD, torn);
    let reply = ask(&both.records, "records", "load", &[]);
    assert!(reply.contains("\"corrupt\""), "{reply}");
    let reply = ask(&both.records, "records", "recover", &[]);
    // The present one was never replaced, so that the one before it is the newest that is kept.
    assert!(reply.contains("\"restored\":2"), "{reply}");
    let disk = both.records.disk.borrow();
    assert!(disk.records.all().any(|(_, bytes)| bytes == b"{ torn"));
}

#[test]
fn another_kind_of_storage_is_a_usage_error() {
    let reply = ask(&world(), "paper", "load", &[]);
    assert!(
        reply.contains("\"usage\"") && reply.contains("records"),
        "{reply}"
    );
}

#[test]
fn init_makes_no_folder_for_records_and_doctor_says_that_no_folder_exists() {
    let world = world();
    let made = ask(&world, "records", "init", &[]);
    assert!(
        made.contains(r#"{"path":".claude/state","outcome":"in_records"}"#),
        "{made}"
    );
    let files = world.files_below("/repo/.claude");
    assert!(!files.iter().any(|it| it.starts_with("state")), "{files:?}");
    let found = ask(&world, "records", "doctor", &[]);
    assert!(found.contains("there is no folder to examine"), "{found}");
}
