//! The repository that a file and a session belong to.

use super::steps::{PLAN, end, todos, world_on};
use super::*;

fn write_at(world: &Memory, session: &str, cwd: &str, path: &str) -> Option<Json> {
    let payload = format!(
        r#"{{"session_id":"{session}","cwd":"{cwd}","hook_event_name":"PostToolUse","tool_name":"Write",
            "tool_input":{{"file_path":"{path}"}},"tool_response":{{"type":"create"}}}}"#
    );
    let payload = json::read(payload.as_bytes()).unwrap().value;
    facts_in(claude(world, &payload))
}

#[test]
fn a_file_belongs_to_the_repository_that_it_is_in() {
    let world = world_on("feature-a");
    // A linked worktree in the project, a repository with state, and one without.
    world.put("/repo/.git/worktrees/w/HEAD", "ref: refs/heads/fix-b\n");
    world.put("/repo/.git/worktrees/w/commondir", "../..\n");
    world.put("/repo/trees/w/.git", "gitdir: /repo/.git/worktrees/w\n");
    world.put("/known/.git/HEAD", "ref: refs/heads/main\n");
    world.put("/known/.claude/state/.gitignore", "*\n");
    world.put("/repo/vendor/.git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(write_at(&world, "a", "/repo/src", "/repo/src/x"), None);
    let document = stored(&world, "implement-feature-a.json");
    assert_eq!(at(&document, "/phases/work/files_created"), r#"["src/x"]"#);
    assert_eq!(write_at(&world, "a", "/repo", "/repo/trees/w/y"), None);
    assert_eq!(write_at(&world, "a", "/repo", "/known/z"), None);
    let known = world.text("/known/.claude/state/implement-checkpoint.json");
    assert!(known.contains("\"z\""), "{known}");
    let facts = write_at(&world, "a", "/repo", "/repo/vendor/v").unwrap();
    let notice = at(&facts, "/notice");
    assert!(notice.contains("/repo/vendor/v is outside"), "{notice}");
    assert_eq!(
        write_at(&world, "a", "/repo", "/etc/hosts"),
        None,
        "it is said once"
    );
    let document = stored(&world, "implement-feature-a.json");
    let outside = at(&document, "/files_outside");
    assert_eq!(outside, r#"["/repo/vendor/v","/etc/hosts"]"#);
    assert_eq!(at(&document, "/phases/work/files_created"), r#"["src/x"]"#);
    assert!(world.files_below("/repo/vendor/.claude").is_empty());
}

#[test]
fn a_session_is_of_the_repository_that_it_works_in_and_else_of_the_project() {
    let world = world_on("feature-a");
    todos(&world, "a", PLAN);
    end(&world, "a");
    world.put("/other/.git/HEAD", "ref: refs/heads/main\n");
    for (cwd, is_shown) in [("/repo/src", true), ("/tmp", true), ("/other", false)] {
        let payload = format!(
            r#"{{"session_id":"b","cwd":"{cwd}","hook_event_name":"SessionStart","source":"startup"}}"#
        );
        let payload = json::read(payload.as_bytes()).unwrap().value;
        let request = hook_request("claude-code", None, &payload).with("project", "/repo");
        let reply = world.ask(Json::Object(request).to_line().as_bytes());
        assert_eq!(reply.contains("Write it"), is_shown, "{cwd}: {reply}");
    }
}
