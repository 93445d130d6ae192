//! Changes by shell commands of a session, in real repositories.

use std::fs;
use std::path::{Path, PathBuf};

use milepost::agent::{Agent, CommandWords};
use milepost::effect::{Effect, Machine};
use milepost::json::{self, Json, Object};
use milepost::operation::agent::hook::{HookEvent, hook};

use super::{Repository, git, working};
use crate::disk::Disk;

/// A repository in which a session may work on a run.
struct World {
    repository: Repository,
    /// The effects of the last event.
    asked: Vec<Effect>,
}

impl World {
    /// With `kept` committed, and no state folder.
    fn new() -> World {
        let repository = Repository::new(&[]);
        repository.add(&["kept", "src/a", "src/b"]);
        let world = World {
            repository,
            asked: Vec::new(),
        };
        world.write(".gitignore", "*.log\nout/\n");
        world.git(&["add", "-A"]);
        world.git(&["commit", "-q", "-m", "all"]);
        world
    }

    fn top(&self) -> PathBuf {
        self.repository.top()
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.repository.git(arguments)
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.top().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn delete(&self, path: &str) {
        fs::remove_file(self.top().join(path)).unwrap();
    }

    fn send(&mut self, session: &str, name: &str, more: &str) -> Option<String> {
        let folder = self.top().to_str().unwrap().to_owned();
        self.asked.clear();
        send(&folder, session, name, more, &mut self.asked)
    }

    fn start(&mut self, session: &str, source: &str) {
        self.send(session, "SessionStart", &format!(r#""source":"{source}""#));
    }

    /// A tool writes a file.
    fn edit(&mut self, session: &str, path: &str, text: &str) {
        self.write(path, text);
        let file = self.top().join(path);
        let input = Object::new().with("file_path", file.to_str().unwrap());
        let more = format!(
            r#""tool_name":"Edit","tool_input":{},"tool_response":{{}}"#,
            input.to_line()
        );
        self.send(session, "PostToolUse", &more);
    }

    fn plan(&mut self, session: &str, items: &str) {
        let more = format!(r#""tool_name":"TodoWrite","tool_input":{{"todos":{items}}}"#);
        self.send(session, "PostToolUse", &more);
    }

    fn stop(&mut self, session: &str, message: &str) {
        let more = format!(r#""last_assistant_message":"{message}""#);
        self.send(session, "Stop", &more);
    }

    /// A session that works on a run, and has a phase `A` in progress.
    fn with_session(session: &str) -> World {
        let mut world = World::new();
        world.plan(session, r#"[{"content":"A","status":"in_progress"}]"#);
        world.stop(session, "Planned.");
        world
    }

    fn run(&self) -> Json {
        self.run_of("implement-checkpoint.json")
    }

    fn run_of(&self, name: &str) -> Json {
        let text = fs::read(self.top().join(".claude/state").join(name)).unwrap();
        json::read(&text).unwrap().value
    }

    /// A member of a phase of the run.
    fn of_phase(&self, phase: &str, key: &str) -> String {
        let run = self.run();
        let value = run.at(&format!("/phases/{phase}/{key}"));
        value.map_or_else(String::new, Json::to_line)
    }

    /// The files that a phase created and modified.
    fn lists(&self, phase: &str) -> [String; 2] {
        ["files_created", "files_modified"].map(|key| self.of_phase(phase, key))
    }

    fn record(&self, session: &str) -> PathBuf {
        let folder = self.top().join(".claude/state/.milepost/.contexts");
        folder.join(format!("session-{session}.dirty"))
    }
}

fn send(
    folder: &str,
    session: &str,
    name: &str,
    more: &str,
    asked: &mut Vec<Effect>,
) -> Option<String> {
    let payload = Object::new()
        .with("session_id", session)
        .with("cwd", folder)
        .with("hook_event_name", name);
    let payload = payload.to_line();
    let payload = match more {
        "" => payload,
        more => format!("{},{more}}}", payload.strip_suffix('}').unwrap()),
    };
    let Json::Object(payload) = json::read(payload.as_bytes()).unwrap().value else {
        panic!("{payload}");
    };
    let settings = working(Path::new(folder));
    let mut disk = Disk::new();
    let reply = Machine::start(|io| async move {
        let hook_event = HookEvent {
            agent: Agent::ClaudeCode,
            event: None,
            payload: &payload,
            kept_in_files: None,
            words: &CommandWords::LOCAL,
            project: None,
        };
        hook(&io, &settings, &hook_event).await
    });
    let reply = reply.run(|effect| disk.perform(effect));
    asked.append(&mut disk.asked);
    reply.result.unwrap()
}

/// The requests to git.
fn of_git(asked: &[Effect]) -> Vec<&[String]> {
    let of = asked.iter().filter_map(|effect| match effect {
        Effect::Git { arguments, .. } => Some(arguments.as_slice()),
        _ => None,
    });
    of.collect()
}

#[test]
fn changes_of_a_shell_command_join_the_phase_and_earn_its_summary() {
    let mut world = World::with_session("a");
    world.write("src/a", "by sed");
    world.delete("src/b");
    world.write("src/made by script", "new");
    world.write("out/built", "ignored");
    world.write("x.log", "ignored");
    world.stop("a", "Ran the script.");
    let expected = [r#"["src/made by script"]"#, r#"["src/a","src/b"]"#];
    assert_eq!(world.lists("A"), expected);
    assert_eq!(
        world.of_phase("A", "context_summary"),
        "\"Ran the script.\""
    );
    // A turn that changed nothing earns none, and leaves the run as it is.
    let before = world.run();
    world.stop("a", "You are welcome!");
    assert_eq!(world.run(), before);
}

#[test]
fn changes_from_before_the_session_join_once_they_change_again() {
    let mut world = World::with_session("of-the-state-folder");
    world.write("kept", "before");
    world.write("untracked", "before");
    world.write("src/a", "before");
    world.start("a", "startup");
    world.plan("a", r#"[{"content":"Own","status":"in_progress"}]"#);
    world.write("kept", "changed again");
    world.write("src/b", "changed");
    world.stop("a", "Done.");
    let name = fs::read_dir(world.top().join(".claude/state")).unwrap();
    let runs: Vec<String> = name
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".json"))
        .map(|name| world.run_of(&name).to_line())
        .filter(|run| run.contains("\"Own\""))
        .collect();
    assert_eq!(runs.len(), 1);
    assert!(
        runs[0].contains(r#""files_modified":["kept","src/b"]"#),
        "{}",
        runs[0]
    );
    assert!(
        !runs[0].contains("untracked") && !runs[0].contains("src/a"),
        "{}",
        runs[0]
    );
}

#[test]
fn the_file_that_binds_a_session_is_no_part_of_what_was_before() {
    let mut world = World::new();
    world.write("before", "x");
    world.edit("a", "src/a", "by a tool");
    let record = fs::read_to_string(world.record("a")).unwrap();
    assert!(
        record.contains("\"before\"") && !record.contains("src/a"),
        "{record}"
    );
    world.write("kept", "by a shell command");
    world.stop("a", "Done.");
    assert_eq!(world.lists("work"), ["", r#"["src/a","kept"]"#]);
}

#[test]
fn a_change_is_in_the_phase_of_its_turn_alone() {
    let mut world = World::with_session("a");
    world.write("of-a", "x");
    world.edit("a", "src/a", "by a tool");
    world.stop("a", "A.");
    let next = r#"[{"content":"A","status":"completed"},{"content":"B","status":"in_progress"}]"#;
    world.plan("a", next);
    world.write("of-b", "x");
    world.stop("a", "B.");
    assert_eq!(world.lists("A"), [r#"["of-a"]"#, r#"["src/a"]"#]);
    assert_eq!(world.lists("B"), [r#"["of-b"]"#, ""]);
    // A file that a tool named for a phase that the same turn completed does not join the next one.
    world.edit("a", "src/b", "by a tool");
    let all = r#"[{"content":"A","status":"completed"},{"content":"B","status":"completed"}]"#;
    world.plan("a", all);
    world.write("at-the-end", "x");
    world.stop("a", "All.");
    assert_eq!(
        world.lists("B"),
        [r#"["of-b","at-the-end"]"#, r#"["src/b"]"#]
    );
    assert_eq!(world.lists("work"), ["", ""]);
}

#[test]
fn a_compaction_in_the_middle_of_a_turn_hides_no_change() {
    let mut world = World::with_session("a");
    world.write("kept", "by a shell command");
    world.start("a", "compact");
    world.stop("a", "Done.");
    assert_eq!(world.lists("A"), ["", r#"["kept"]"#]);
    world.write("kept", "by the user, between two sessions");
    world.write("src/a", "by the user as well");
    world.start("a", "resume");
    world.stop("a", "Nothing.");
    assert_eq!(world.lists("A"), ["", r#"["kept"]"#]);
}

#[test]
fn files_of_another_living_session_stay_with_it() {
    let mut world = World::with_session("a");
    world.edit("b", "of-b", "by a tool of b");
    world.write("of-a", "by a shell command of a");
    world.stop("a", "Done.");
    assert_eq!(world.lists("A"), [r#"["of-a"]"#, ""]);
    // Of one that has ended it is.
    world.edit("b", "of-b-too", "x");
    world.send("b", "SessionEnd", r#""reason":"other""#);
    world.write("of-b", "changed by a");
    world.stop("a", "Done.");
    assert_eq!(world.lists("A"), [r#"["of-a","of-b","of-b-too"]"#, ""]);
}

#[test]
fn files_that_are_gone_again_leave_the_lists() {
    let mut world = World::with_session("a");
    world.edit("a", "scratch", "x");
    world.edit("a", "x.log", "ignored, and there");
    world.edit("a", "committed", "x");
    world.edit("a", "src/b", "x");
    world.write("of-a-shell-command", "x");
    world.stop("a", "One.");
    world.git(&["add", "committed"]);
    world.git(&["commit", "-q", "-m", "more", "committed"]);
    for path in ["scratch", "of-a-shell-command", "committed"] {
        world.delete(path);
    }
    world.git(&["rm", "-q", "-f", "src/b"]);
    world.stop("a", "Two.");
    // Files that git knows were deleted, which is a change.
    assert_eq!(
        world.lists("A"),
        [r#"["x.log","committed"]"#, r#"["src/b"]"#]
    );
    world.git(&["commit", "-q", "-a", "-m", "less"]);
    world.stop("a", "Three.");
    let lists = world.lists("A");
    assert_eq!(lists, [r#"["x.log","committed"]"#, r#"["src/b"]"#]);
    assert_eq!(world.of_phase("A", "context_summary"), "\"Two.\"");
}

#[test]
fn nothing_that_the_repository_configures_is_run_and_what_git_alone_can_tell_is_left_out() {
    let mut world = World::new();
    let ran = world.repository.at("ran");
    world.write(".gitattributes", "*.bin filter=own\n");
    world.write("a.bin", "same size");
    world.write("b.bin", "x");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-q", "-m", "filtered"]);
    let program = format!("touch '{}'; cat", ran.display());
    for key in [
        "filter.own.clean",
        "filter.own.smudge",
        "filter.own.process",
        "core.fsmonitor",
    ] {
        world.git(&["config", key, &program]);
    }
    world.plan("a", r#"[{"content":"A","status":"in_progress"}]"#);
    assert_eq!(of_git(&world.asked), Vec::<&[String]>::new());
    world.write("a.bin", "same time");
    world.write("b.bin", "of another size");
    world.write("kept", "changed");
    world.stop("a", "Done.");
    assert_eq!(of_git(&world.asked), Vec::<&[String]>::new());
    assert_eq!(world.lists("A"), ["", r#"["b.bin","kept"]"#]);
    // An index that only git reads.
    world.git(&[
        "-c",
        "core.fsmonitor=false",
        "-c",
        "filter.own.clean=cat",
        "-c",
        "filter.own.process=",
        "update-index",
        "--split-index",
    ]);
    fs::remove_file(&ran).ok();
    world.write("src/a", "changed");
    world.stop("a", "Done.");
    assert_eq!(of_git(&world.asked), Vec::<&[String]>::new());
    assert_eq!(world.lists("A"), ["", r#"["b.bin","kept"]"#]);
    // Of what the user ignores everywhere git's configuration tells.
    world.git(&[
        "-c",
        "core.fsmonitor=false",
        "-c",
        "filter.own.clean=cat",
        "-c",
        "filter.own.process=",
        "update-index",
        "--no-split-index",
    ]);
    fs::remove_file(&ran).ok();
    world.write("new", "x");
    world.stop("a", "Done.");
    let asked = of_git(&world.asked);
    let is_configuration = |words: &&[String]| matches!(words[0].as_str(), "var" | "config");
    assert!(
        !asked.is_empty() && asked.iter().all(is_configuration),
        "{asked:?}"
    );
    assert_eq!(
        world.lists("A"),
        [r#"["new"]"#, r#"["b.bin","kept","src/a"]"#]
    );
    assert!(!ran.exists());
}

#[test]
fn globally_ignored_files_do_not_join() {
    let mut world = World::with_session("a");
    let file = world.repository.at("ignored");
    fs::write(&file, ".DS_Store\n.idea/\n").unwrap();
    world.git(&["config", "core.excludesFile", file.to_str().unwrap()]);
    world.write("src/.DS_Store", "x");
    world.write(".idea/workspace.xml", "x");
    world.write("new", "x");
    world.stop("a", "Done.");
    assert_eq!(world.lists("A"), [r#"["new"]"#, ""]);
}

#[test]
fn of_more_files_than_are_recorded_none_joins() {
    let mut world = World::with_session("a");
    for at in 0..2_001 {
        world.write(&format!("many/{at}"), "");
    }
    world.stop("a", "Unpacked it.");
    assert_eq!(world.lists("A"), ["", ""]);
    world.start("a", "resume");
    assert!(!world.record("a").exists());
    world.write("kept", "changed");
    world.stop("a", "Done.");
    assert_eq!(world.lists("A"), ["", ""]);
    fs::remove_dir_all(world.top().join("many")).unwrap();
    world.start("a", "resume");
    assert!(world.record("a").exists());
}

#[test]
fn a_session_in_a_linked_worktree_or_a_folder_below_sees_its_own_part() {
    let world = World::new();
    let linked = world.repository.at("linked");
    git(
        &world.top(),
        &[
            "worktree",
            "add",
            "-q",
            linked.to_str().unwrap(),
            "-b",
            "side",
        ],
    );
    let mut asked = Vec::new();
    let folder = linked.to_str().unwrap();
    let items = r#""tool_name":"TodoWrite","tool_input":{"todos":[{"content":"A","status":"in_progress"}]}"#;
    send(folder, "a", "PostToolUse", items, &mut asked);
    fs::write(linked.join("kept"), "changed").unwrap();
    world.write("src/a", "changed in the main worktree");
    let message = r#""last_assistant_message":"Done.""#;
    send(folder, "a", "Stop", message, &mut asked);
    // The run is stored with the main worktree.
    let text = fs::read(world.top().join(".claude/state/implement-side.json")).unwrap();
    let run = json::read(&text).unwrap().value;
    let modified = run.at("/phases/A/files_modified").map(Json::to_line);
    assert_eq!(modified.as_deref(), Some(r#"["kept"]"#));
}
