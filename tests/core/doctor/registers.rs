//! Documents beside checkpoints: the register, the cursor, and the records of agents' sessions.

use milepost::doctor::{Check, Level};
use milepost::operation::request;

use super::{STATE, assert_nothing_is_wrong, examine, fix, only, steps, world};
use crate::memory::Memory;

const REGISTER: &str = ".claude/checkpoints/register.json";
const CURSOR: &str = ".claude/state/notifications/cursor.json";

/// A world with a register and a cursor, each with a history.
fn remembering() -> Memory {
    let world = world();
    world.put(
        "/repo/.claude/config/integrations.json",
        r#"{"notifications":{"webhooks":[{"url_env":"HOOK_URL","secret_env":"HOOK_SECRET"}]}}"#,
    );
    for request in [
        r#"{"operation":"create_session","place":{"root":"/repo"},"reason":"handoff","files":false}"#,
        r#"{"operation":"pin_session","place":{"root":"/repo"},"id":"chk-20270115-080000"}"#,
        r#"{"operation":"due_notices","place":{"root":"/repo"}}"#,
    ] {
        let reply = world.run(request::start(request.as_bytes()));
        assert!(reply.starts_with(r#"{"ok":true"#), "{reply}");
    }
    world
}

#[test]
fn a_register_or_cursor_that_is_damaged_is_an_error_and_one_that_is_gone_a_warning() {
    assert_nothing_is_wrong(&examine(&remembering()));
    for path in [REGISTER, CURSOR] {
        for (damaged, level) in [
            (Some("{ torn"), Level::Error),
            (Some(""), Level::Error),
            (Some("\0\0\0\0"), Level::Error),
            (None, Level::Warning),
        ] {
            let world = remembering();
            let file = format!("/repo/{path}");
            match damaged {
                Some(text) => world.put(&file, text),
                None => world.delete(&file),
            }
            let findings = examine(&world);
            let finding = only(&findings, Check::Registers);
            assert_eq!(finding.level, level, "{path} {damaged:?}");
            assert_eq!(finding.path.as_deref(), Some(path), "{damaged:?}");
            assert_eq!(steps(finding), None, "{path} {damaged:?}");
            assert!(finding.why.unwrap().contains("newest revision"));
        }
    }
}

#[test]
fn a_record_of_a_session_that_is_damaged_is_worth_knowing_and_is_removed() {
    for name in ["session-a.json", "session-a.owner", "session-a.dirty"] {
        let world = remembering();
        let record = format!("{STATE}/.milepost/.contexts/{name}");
        world.put(&record, r#"{"session_id":"a"}"#);
        assert_nothing_is_wrong(&examine(&world));
        for damaged in ["", "\0\0", "garbage", "[]"] {
            world.put(&record, damaged);
            let findings = examine(&world);
            let note = only(&findings, Check::Registers);
            assert_eq!(note.level, Level::Note, "{name} {damaged:?}");
            assert_eq!(steps(note).as_deref(), Some("fix"));
            assert!(only(&fix(&world), Check::Registers).is_fixed);
            assert_eq!(world.bytes(&record), None);
        }
    }
    // A file that is there by its name alone holds nothing.
    let world = remembering();
    world.put(&format!("{STATE}/.milepost/.contexts/session-a.due"), "");
    assert_nothing_is_wrong(&examine(&world));
}
