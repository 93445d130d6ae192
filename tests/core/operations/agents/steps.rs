//! The steps of a session of Claude Code, and the world in which it takes them.

use super::*;

pub(super) fn switch(world: &Memory, branch: &str) {
    world.put("/repo/.git/HEAD", format!("ref: refs/heads/{branch}\n"));
    let commit = format!("{}\n", "1".repeat(40));
    world.put(&format!("/repo/.git/refs/heads/{branch}"), &commit);
}

/// On a branch of a repository whose default branch is known.
pub(super) fn world_on(branch: &str) -> Memory {
    let world = world();
    world.put(
        "/repo/.git/refs/remotes/origin/HEAD",
        "ref: refs/remotes/origin/main\n",
    );
    switch(&world, "main");
    switch(&world, branch);
    world
}

pub(super) fn prompt(world: &Memory, session: &str, text: &str) -> Option<Json> {
    let more = format!(r#""prompt":"{text}""#);
    facts_in(claude(world, &event(session, "UserPromptSubmit", &more)))
}

pub(super) fn todos(world: &Memory, session: &str, items: &str) -> Option<Json> {
    let more = format!(r#""tool_name":"TodoWrite","tool_input":{{"todos":{items}}}"#);
    facts_in(claude(world, &event(session, "PostToolUse", &more)))
}

pub(super) const PLAN: &str =
    r#"[{"content":"Write it","status":"in_progress"},{"content":"Test it","status":"pending"}]"#;

pub(super) fn stop(world: &Memory, session: &str, message: &str) {
    let more = format!(r#""last_assistant_message":"{message}""#);
    claude(world, &event(session, "Stop", &more));
}

pub(super) fn end(world: &Memory, session: &str) {
    claude(world, &event(session, "SessionEnd", r#""reason":"other""#));
}

/// The files that list a path.
pub(super) fn holders(world: &Memory, path: &str) -> Vec<String> {
    let holds = |name: &String| {
        stored(world, name)
            .to_line()
            .contains(&format!("\"{path}\""))
    };
    checkpoints(world).into_iter().filter(holds).collect()
}

/// The processes of a Linux host as `(id, parent, start time)`, as the hook that runs now sees them.
pub(super) fn processes(world: &Memory, own_parent: &str, others: &[(&str, &str)]) {
    let stat = |id: &str, parent: &str, started: &str| {
        let rest = "0 0 0 -1 0 1 0 0 0 2 1 0 0 20 0 1 0";
        format!("{id} (node) S {parent} {rest} {started} 1 2\n")
    };
    world.put("/proc/sys/kernel/hostname", "host\n");
    world.put("/proc/sys/kernel/random/boot_id", "boot\n");
    world.put("/proc/1/stat", stat("1", "0", "5"));
    world.put("/proc/self/stat", stat("900", own_parent, "9000"));
    for (id, started) in others {
        world.put(&format!("/proc/{id}/stat"), stat(id, "1", started));
        world.put(&format!("/proc/{id}/cmdline"), "agent\0");
    }
}
