//! A root that is not there is said to be so.

use milepost::effect::Effect;
use milepost::error::Code;
use milepost::json::{self, Json};
use milepost::operation::table;

use crate::memory::Memory;
use crate::variants;

use super::world;

/// Operations that need no root that is there.
const FOLDERLESS: [&str; 3] = ["location", "project", "run_here"];

/// The reply to a request on `design` at a place.
fn ask(world: &Memory, operation: &str, place: &str, more: &str) -> Json {
    let command = match operation {
        "list" | "latest" | "load_integrations" | "init" | "doctor" => "",
        _ => r#","command":"design""#,
    };
    let request = format!(r#"{{"operation":"{operation}","place":{place}{command}{more}}}"#);
    let reply = world.ask(request.as_bytes());
    json::read(reply.as_bytes()).unwrap().value
}

fn more(operation: &str) -> &'static str {
    match operation {
        "save" => r#","document":{}"#,
        "update_phase" => r#","phase":"a","patch":{}"#,
        "begin" => r#","phases":["a"]"#,
        "remove_phase" => r#","phase":"a""#,
        "create_session" => r#","reason":"handoff""#,
        "load_session" | "restore_session" | "verify_session" => r#","latest":true"#,
        "rewind" => r#","undo":true"#,
        "pin_session" => r#","id":"chk-20250126-103000""#,
        "diff_sessions" => r#","from":"chk-20250126-103000","to":"chk-20250126-103000-2""#,
        "save_task" => {
            concat!(
                r#","state":{"id":"a","taskId":"t","agentId":"g","stepIndex":0,"totalSteps":0,"#,
                r#""context":{},"completedSteps":[],"pendingSteps":[],"#,
                r#""createdAt":"2026-01-29T10:30:00.000Z"}"#
            )
        }
        "load_task" | "list_task" | "delete_task" => r#","task_id":"t""#,
        "delete_task_checkpoint" => r#","id":"a""#,
        "put_thread" => {
            concat!(
                r#","thread_id":"t","changes":[{"namespace":"","id":"a","task":"k","#,
                r#""values":[["c",["json","1"]]]}]"#
            )
        }
        "load_thread" => r#","thread_id":"t","namespace":"""#,
        "thread_history" => r#","thread_id":"t","namespace":"","channels":["c"]"#,
        "list_thread" | "delete_thread" | "recover_thread" | "prune_thread" | "thread_texts" => {
            r#","thread_id":"t""#
        }
        "append_transcript" => r#","project":"p","session":"s","entries":["{}"]"#,
        "load_transcript" | "pop_transcript" | "delete_transcript" => {
            r#","project":"p","session":"s""#
        }
        "list_transcripts" => r#","project":"p""#,
        "list_subpaths" => r#","project":"p","session":"s""#,
        "copy_thread" => r#","thread_id":"t","target":"u""#,
        "delete_thread_runs" => r#","runs":["r"]"#,
        "prune_threads" | "prune_tasks" => r#","days":1"#,
        "rename" => r#","to":"b","feature":"a""#,
        "hook" => {
            r#","agent":"codex","payload":{"hook_event_name":"SessionStart","session_id":"s"}"#
        }
        "status_line" => r#","payload":{"session_id":"s"}"#,
        "record_deliveries" => r#","deliveries":[]"#,
        _ => "",
    }
}

#[test]
fn a_root_that_does_not_exist_is_not_taken_for_an_empty_project() {
    for (place, named) in [
        (r#"{"working":"/repo","root":"/nope"}"#, "check_root"),
        (
            r#"{"working":"/repo","git_root":"/nope"}"#,
            "check_git_root",
        ),
        (
            r#"{"working":"/repo","root":"/repo/.git/HEAD"}"#,
            "check_root",
        ),
    ] {
        for operation in table::all().filter(|it| it.has_place() && !FOLDERLESS.contains(&it.name))
        {
            let world = world();
            let name = operation.name;
            let reply = ask(&world, name, place, more(name));
            let said = reply.to_line();
            assert_eq!(reply.at("/ok"), Some(&Json::Bool(false)), "{name}: {said}");
            let code = reply.at("/error/code").and_then(Json::as_str);
            assert_eq!(code, Some(Code::Usage.as_str()), "{name}: {said}");
            assert!(said.contains("The root "), "{name}: {said}");
            let advice = reply.at("/error/advice/kind").and_then(Json::as_str);
            assert_eq!(advice, Some(named), "{name}: {said}");
            assert!(
                said.contains(r#""written":"no""#) || name != "save",
                "{said}"
            );
        }
    }
}

#[test]
fn a_root_that_is_there_is_looked_at_only_where_something_is_missing() {
    let world = world();
    let place = r#"{"working":"/repo","root":"/repo"}"#;
    let lookups = |world: &Memory, operation: &str| {
        let mut lookups = 0;
        let request = format!(
            r#"{{"operation":"{operation}","place":{place},"command":"design"{}}}"#,
            more(operation)
        );
        variants::reply(request.as_bytes(), |effect| {
            let is_of_root = |paths: &[String]| paths == ["/repo"];
            lookups +=
                usize::from(matches!(&effect, Effect::Inspect { paths } if is_of_root(paths)));
            world.perform(&effect)
        });
        lookups
    };
    assert_eq!(lookups(&world, "load"), 1);
    assert_eq!(lookups(&world, "update_phase"), 0);
    assert_eq!(lookups(&world, "load"), 0);
    assert_eq!(lookups(&world, "update_phase"), 0);
}

#[test]
fn a_root_of_records_is_no_folder_and_need_not_exist() {
    let place = r#"{"working":"/repo","root":"/nope","storage":"records"}"#;
    let reply = ask(&world(), "list", place, "");
    assert_eq!(
        reply.at("/ok"),
        Some(&Json::Bool(true)),
        "{}",
        reply.to_line()
    );
}
