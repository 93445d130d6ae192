//! Hooks in the settings of agents, under `tests/golden/hooks`; `MILEPOST_BLESS=1` writes them again.

mod examined;
mod init;

use std::ops::Range;

use milepost::agent::Agent;
use milepost::agent::registration::{Launch, Program, StatusLine, install};
use milepost::json::{Json, Object};

use super::{User, at, parse};

const SETTINGS: &str = ".claude/settings.json";
const BACKUP: &str = ".claude/settings.json.milepost-backup";

/// A user whose home is the folder `home` of their working folder.
fn at_home() -> User {
    let mut user = User::new();
    let home = format!("{}/home", user.working());
    std::fs::create_dir(&home).unwrap();
    let package = format!("{}/tools/milepost", user.working());
    user.host_facts = Object::new()
        .with("home", home)
        .with("package", package)
        .into();
    user.write("node_modules/milepost/package.json", "{}");
    user
}

fn is_there(user: &User, name: &str) -> bool {
    user.folder.path().join(name).exists()
}

/// The names in a folder.
fn names(user: &User, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(user.folder.path().join(name)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn install_registers_the_reviewed_hooks() {
    let others = [
        ("installed", Program::Installed("/opt/milepost".to_owned())),
        (
            "wasmtime",
            Program::Compiled("/opt/milepost.cwasm".to_owned()),
        ),
        ("native", Program::Native(None)),
    ];
    for agent in Agent::ALL {
        let registered = |program| {
            let launch = Launch::new(program).unwrap();
            install(agent, None, &launch, StatusLine::Register).unwrap()
        };
        let text = registered(Program::Dependency { above: 0 });
        let ending = match agent {
            Agent::OpenCode => "js",
            _ => "json",
        };
        is_reviewed(&format!("{}.{ending}", agent.name()), &text);
        for (name, program) in others.clone() {
            let difference = difference(&text, &registered(program));
            is_reviewed(&format!("{}-{name}.diff", agent.name()), &difference);
        }
    }
}

fn is_reviewed(name: &str, text: &str) {
    let file = crate::in_package("tests/golden/hooks").join(name);
    if std::env::var_os("MILEPOST_BLESS").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    let reviewed = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(text, reviewed, "{}", file.display());
}

/// The lines that differ, as `diff -U0` prints them.
fn difference(before: &str, after: &str) -> String {
    let [before, after] = [before, after].map(|it| it.lines().collect::<Vec<_>>());
    let hunk_range = |range: &Range<usize>| format!("{},{}", range.start + 1, range.len());
    let mut text = String::new();
    for hunk in milepost::diff::hunks(&before, &after) {
        let (old, new) = (hunk_range(&hunk.before), hunk_range(&hunk.after));
        text += &format!("@@ -{old} +{new} @@\n");
        let removed = before[hunk.before].iter().map(|it| format!("-{it}\n"));
        let added = after[hunk.after].iter().map(|it| format!("+{it}\n"));
        text.extend(removed.chain(added));
    }
    text
}

#[test]
fn hooks_that_come_and_go_leave_the_settings_unchanged() {
    let before = "\u{FEFF}{\r\n\t\"model\": \"x\", // mine\r\n\t\"hooks\": {},\r\n}";
    let mut user = at_home();
    user.write(SETTINGS, before);
    let said = user.line("hooks install claude-code").answer();
    assert!(
        said.starts_with("changed    claude-code  .claude/settings.json\n"),
        "{said}"
    );
    assert!(said.contains("trusted"), "{said}");
    let once = user.read(SETTINGS);
    assert_eq!(user.read(BACKUP), before);
    let said = user.line("hooks install claude-code").answer();
    assert!(said.starts_with("unchanged  claude-code"), "{said}");
    assert_eq!(user.read(SETTINGS), once);
    let said = user.line("hooks remove claude-code").answer();
    assert_eq!(said, "changed    claude-code  .claude/settings.json\n");
    assert_eq!(user.read(SETTINGS), before);
    assert_eq!(names(&user, ".claude"), ["settings.json"]);
    let said = user.line("hooks remove claude-code").answer();
    assert_eq!(said, "nothing    claude-code  .claude/settings.json\n");
}

#[test]
fn hooks_installed_with_a_store_name_it_and_an_install_without_one_changes_that_back() {
    let mut user = at_home();
    let agents = Agent::ALL.map(Agent::name).join(" ");
    user.line(&format!("hooks install {agents}")).answer();
    let in_files = user.read(SETTINGS);
    let store = "--store env:DATABASE_URL --project shop";
    user.line(&format!("hooks install {agents} {store}"))
        .answer();
    for name in [SETTINGS, ".codex/hooks.json", ".qwen/settings.json"] {
        assert!(user.read(name).contains(store), "{name}");
    }
    let plugin = user.read(".opencode/plugins/milepost.js");
    assert!(plugin.contains(r#""--store","env:DATABASE_URL","--project","shop""#));
    let said = user.line("hooks status").answer();
    let database = "  runs are kept in the database of DATABASE_URL, as project shop\n";
    assert_eq!(said.matches(database).count(), Agent::ALL.len(), "{said}");
    let said = user.line("hooks status --json").answer();
    assert!(said.contains(r#""project": "shop""#) || said.contains(r#""project":"shop""#));
    user.line(&format!("hooks install {agents}")).answer();
    assert_eq!(user.read(SETTINGS), in_files);
    user.line(&format!("hooks install {agents} {store}"))
        .answer();
    user.line(&format!("hooks remove {agents}")).answer();
    assert!(!is_there(&user, ".claude"));
}

#[test]
fn a_store_that_hooks_could_not_reach_or_would_mix_is_refused() {
    let store = "--store env:DATABASE_URL --project shop";
    for (line, reason) in [
        (format!("hooks install codex --scope user {store}"), "scope"),
        (
            format!(
                "hooks install claude-code --scope local --runtime wasmtime --component a.cwasm {store}"
            ),
            "wasmtime",
        ),
        (
            "hooks install codex --store env:URL --project a$b".to_owned(),
            "a$b",
        ),
    ] {
        let mut user = at_home();
        let said = user.line(&line).refusal(64);
        assert!(said.contains(reason), "{said}");
        assert!(!is_there(&user, ".claude"));
        assert!(!is_there(&user, ".codex"));
    }
}

#[test]
fn files_that_install_made_stay_when_the_hooks_go() {
    let mut user = at_home();
    let agents = Agent::ALL.map(Agent::name).join(" ");
    user.line(&format!("hooks install {agents}")).answer();
    for name in [
        SETTINGS,
        ".codex/hooks.json",
        ".opencode/plugins/milepost.js",
        ".qwen/settings.json",
    ] {
        assert!(is_there(&user, name), "{name}");
    }
    user.line(&format!("hooks remove {agents}")).answer();
    for name in [
        ".claude",
        ".codex",
        ".gemini",
        ".cursor",
        ".github/hooks",
        ".opencode/plugins",
        ".qwen",
    ] {
        assert!(!is_there(&user, name), "{name}");
    }
}

#[test]
fn a_dry_run_changes_nothing() {
    let mut user = at_home();
    user.write(SETTINGS, "{\n  \"model\": \"x\"\n}\n");
    let said = user.line("hooks install claude-code --dry-run").answer();
    assert!(
        said.starts_with("--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1,3 +1,"),
        "{said}"
    );
    assert!(
        said.contains("\n-  \"model\": \"x\"\n+  \"model\": \"x\",\n+  \"hooks\": {\n"),
        "{said}"
    );
    assert_eq!(names(&user, ".claude"), ["settings.json"]);
    assert_eq!(user.read(SETTINGS), "{\n  \"model\": \"x\"\n}\n");
    user.line("hooks install claude-code").answer();
    let said = user.line("hooks remove claude-code --dry-run").answer();
    assert!(said.contains("\n-  \"hooks\": {\n"), "{said}");
    assert!(is_there(&user, BACKUP));
}

#[test]
fn a_file_that_cannot_be_edited_safely_is_refused_before_any_other_is_changed() {
    for (text, reason) in [
        (
            "{ torn",
            "is not JSON: expected a key in double quotes at line 1 column 3",
        ),
        ("", "is not JSON: expected a value at line 1 column 1"),
        ("[]", "is unchanged: it is of kind array; expected object"),
        (
            "{\"hooks\": []}",
            "is unchanged: hooks is of kind array; expected object",
        ),
    ] {
        let mut user = at_home();
        user.write(".gemini/settings.json", text);
        let said = user.line("hooks install claude-code gemini").refusal(65);
        assert!(said.contains(".gemini/settings.json"), "{said}");
        assert!(said.contains(reason), "{said}");
        assert_eq!(user.read(".gemini/settings.json"), text);
        assert!(!is_there(&user, ".claude"), "another file was written");
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_project_is_refused() {
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("settings.json");
    std::fs::write(&file, "{}").unwrap();
    let mut user = at_home();
    std::fs::create_dir(user.folder.path().join(".claude")).unwrap();
    std::os::unix::fs::symlink(&file, user.folder.path().join(SETTINGS)).unwrap();
    let said = user.line("hooks install claude-code").refusal(65);
    assert!(
        said.contains(".claude/settings.json is a symbolic link"),
        "{said}"
    );
    std::os::unix::fs::symlink(elsewhere.path(), user.folder.path().join(".codex")).unwrap();
    let said = user.line("hooks install codex").refusal(65);
    assert!(said.contains(".codex is a symbolic link"), "{said}");
    assert!(said.contains("`--dry-run` prints the change"), "{said}");
    let said = user.line("hooks install claude-code --dry-run");
    assert!(said.output.contains("\n+  \"hooks\": {\n"), "{said:?}");
    assert!(
        said.exit == 65
            && said
                .error
                .contains(".claude/settings.json is a symbolic link"),
        "{said:?}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{}");
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_read_only_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let mut user = at_home();
    user.write(SETTINGS, "{}");
    user.line("hooks install claude-code").answer();
    let installed = user.read(SETTINGS);
    let only = |mode| {
        let file = user.folder.path().join(SETTINGS);
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    only(0o444);
    let said = user.line("hooks remove claude-code").refusal(65);
    assert!(
        said.contains(".claude/settings.json is read-only"),
        "{said}"
    );
    let dry = user.line("hooks remove claude-code --dry-run");
    assert_eq!((dry.exit, &dry.error), (65, &said));
    assert!(
        dry.output.contains("--- a/.claude/settings.json"),
        "{dry:?}"
    );
    assert_eq!(user.read(SETTINGS), installed);
    user.write(".codex/hooks.json", "{}");
    let file = user.folder.path().join(".codex/hooks.json");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o444)).unwrap();
    let said = user.line("hooks install codex").refusal(65);
    assert!(said.contains(".codex/hooks.json is read-only"), "{said}");
    assert_eq!(names(&user, ".codex"), ["hooks.json"]);
}

#[test]
fn hooks_of_the_user_run_the_package_that_runs_now() {
    let mut user = at_home();
    for has_dependency in [true, false] {
        if !has_dependency {
            std::fs::remove_dir_all(user.folder.path().join("node_modules")).unwrap();
        }
        let said = user
            .line("hooks install codex claude-code --scope user")
            .answer();
        assert!(said.contains("~/.codex/hooks.json"), "{said}");
        assert!(
            said.contains("do nothing once that is gone")
                && said.contains("`npm install --global PATH/milepost.tgz`"),
            "it is in the project: {said}"
        );
        for (file, agent) in [
            ("home/.codex/hooks.json", "codex"),
            ("home/.claude/settings.json", "claude-code"),
        ] {
            let program = format!(
                "\\\"{}/tools/milepost/bin/hook.js\\\" {agent} user ; exit 0\"",
                user.working()
            );
            let text = user.read(file);
            assert!(text.contains(&program), "{text}");
            assert!(!text.contains("CLAUDE_PROJECT_DIR"), "{text}");
        }
    }
    let installed = user.read("home/.codex/hooks.json");
    // One that npx fetched, and one within a plugin, whose folder goes with its version.
    for folder in [
        "_npx/1a/node_modules/milepost",
        "plugins/cache/milepost/0.1.0",
    ] {
        let package = format!("{}/{folder}", user.working());
        user.host_facts
            .as_object_mut()
            .unwrap()
            .set("package", package);
        let said = user.line("hooks install codex --scope user").refusal(64);
        assert!(
            said.contains("installed globally, such as from its packed file"),
            "{said}"
        );
        assert_eq!(user.read("home/.codex/hooks.json"), installed);
    }
}

#[test]
fn in_a_package_of_a_workspace_hooks_are_registered_where_they_run_or_not_at_all() {
    let mut user = at_home();
    user.write("packages/a/package.json", "{}");
    user.within = "packages/a";
    user.line("hooks install codex").answer();
    assert!(is_there(&user, ".codex/hooks.json"), "of the root");
    user.line("hooks remove codex").answer();
    std::fs::remove_dir_all(user.folder.path().join("node_modules")).unwrap();
    user.write("packages/a/node_modules/milepost/package.json", "{}");
    let said = user.line("hooks install codex claude-code").refusal(64);
    assert!(
        said.contains("a dependency of packages/a") && said.contains("or packages/a as the root"),
        "{said}"
    );
    assert!(!is_there(&user, ".codex"));
    user.line("hooks install codex --root .").answer();
    assert!(is_there(&user, "packages/a/.codex/hooks.json"));
}

#[test]
fn install_says_which_other_entries_the_agent_runs() {
    let mut user = at_home();
    let said = user.line("hooks install codex --scope user").answer();
    assert!(!said.contains("as well"), "{said}");
    let said = user.line("hooks install codex").answer();
    assert!(
        said.contains("codex has hooks in ~/.codex/hooks.json as well. An event is taken once"),
        "{said}"
    );
    user.line("hooks install claude-code").answer();
    for agent in ["copilot", "cursor"] {
        let said = user.line(&format!("hooks install {agent}")).answer();
        let expected = format!("{agent} also runs the hooks in .claude/settings.json");
        assert!(said.contains(&expected), "{said}");
    }
}

#[test]
fn a_variable_that_moves_the_settings_of_the_user_counts() {
    let mut user = at_home();
    let moved = format!("{}/moved", user.working());
    std::fs::create_dir(&moved).unwrap();
    let variables = Object::new().with("CLAUDE_CONFIG_DIR", moved.as_str());
    user.host_facts
        .as_object_mut()
        .unwrap()
        .set("variables", variables);
    user.line("hooks install claude-code --scope user").answer();
    assert_eq!(names(&user, "moved"), ["settings.json"]);
}

#[test]
fn without_a_home_install_says_what_is_missing() {
    let mut user = User::new();
    let said = user.line("hooks install gemini --scope user").refusal(64);
    assert!(said.contains("expected HOME"), "{said}");
    let said = user.line("hooks install gemini --scope local").refusal(64);
    assert!(
        said.contains("gemini has no settings of scope local: expected project or user"),
        "{said}"
    );
    let said = user.line("hooks install claude --dry-run").refusal(64);
    assert!(said.contains("invalid value 'claude'"), "{said}");
}

#[test]
fn a_compiled_component_is_registered_in_scopes_of_one_machine_only() {
    let mut user = at_home();
    let words = "hooks install claude-code --runtime wasmtime --component m/milepost.cwasm";
    let said = user.line(words).refusal(64);
    assert!(said.contains("expected scope local or user"), "{said}");
    user.line(&format!("{words} --scope local")).answer();
    let file = format!(
        "\\\"{}/m/milepost.cwasm\\\" hook claude-code || exit 0",
        user.working()
    );
    assert!(user.read(".claude/settings.local.json").contains(&file));
    user.line("hooks install claude-code --runtime wasmtime")
        .refusal(64);
}

#[test]
fn a_status_line_of_the_user_stays_and_is_called_by_ours() {
    let mut user = at_home();
    let own = "{\"statusLine\": {\"type\": \"command\", \"command\": \"my 'line'\"}}";
    user.write("home/.claude/settings.json", own);
    let said = user.line("hooks install claude-code").answer();
    assert!(
        said.contains("The status line in ~/.claude/settings.json stays as it is"),
        "{said}"
    );
    assert!(!user.read(SETTINGS).contains("statusLine"));
    user.line("hooks install claude-code --scope user").answer();
    let said = user.line("hooks status").answer();
    assert!(
        said.contains("  with the status line of before: my 'line'\n"),
        "{said}"
    );
    user.line("hooks remove claude-code --scope user").answer();
    assert_eq!(user.read("home/.claude/settings.json"), own);
}

#[test]
fn status_says_where_hooks_are_registered() {
    let mut user = at_home();
    let said = user.line("hooks status");
    assert_eq!(said.exit, 1, "{}", said.error);
    user.line("hooks install claude-code cursor").answer();
    let text = user
        .read(".cursor/hooks.json")
        .replace("\"stop\"", "\"stopp\"");
    user.write(".cursor/hooks.json", text);
    user.write(".gemini/settings.json", "{ torn");
    let said = user.line("hooks status").answer();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[0],
        "claude-code  project  .claude/settings.json  all 8 events, on Node"
    );
    assert!(
        lines[1].starts_with("gemini       project  .gemini/settings.json  Document is invalid: "),
        "{said}"
    );
    assert_eq!(
        lines[2],
        "cursor       project  .cursor/hooks.json  without stop, on Node"
    );
    let all = parse(&user.line("hooks status --json").answer());
    assert_eq!(at(&all, "0.events"), &Json::from(8_u64));
    assert_eq!(at(&all, "0.runtime"), &Json::from("node"));
    assert_eq!(at(&all, "2.missing.0"), &Json::from("stop"));
}

#[test]
fn a_change_made_during_an_install_is_kept() {
    let mut user = at_home();
    user.write(SETTINGS, "{\"a\": 1}");
    user.racing = vec![(SETTINGS, "{\"a\": 2}")];
    user.line("hooks install claude-code").answer();
    assert!(user.read(SETTINGS).starts_with("{\"a\": 2, \"hooks\":"));
    user.racing = vec![(SETTINGS, "{\"a\": 3}")];
    user.line("hooks remove claude-code").answer();
    assert_eq!(user.read(SETTINGS), "{\"a\": 3}");
}

#[test]
fn an_install_gives_up_where_the_file_changes_all_the_time() {
    let mut user = at_home();
    user.write(SETTINGS, "{}");
    user.racing = ["{\"a\": 1}", "{\"a\": 2}", "{\"a\": 3}", "{\"a\": 4}"]
        .map(|text| (SETTINGS, text))
        .to_vec();
    let said = user.line("hooks install claude-code").refusal(75);
    assert!(
        said.contains(".claude/settings.json changed at the same moment"),
        "{said}"
    );
    assert_eq!(user.read(SETTINGS), "{\"a\": 4}");
    assert_eq!(names(&user, ".claude"), ["settings.json"]);
}

#[test]
fn only_a_compiled_component_is_registered() {
    let line = "hooks install codex --scope user --runtime wasmtime --component c/milepost.wasm";
    let file = "home/.codex/hooks.json";
    let mut user = at_home();
    let said = user.line(line).refusal(64);
    assert!(said.contains("`wasmtime compile -o "), "{said}");
    let set_compiled = |user: &mut User, compiled: Json| {
        let host_facts = user.host_facts.as_object_mut().unwrap();
        host_facts.set("compiled", compiled);
    };
    set_compiled(&mut user, "there is no wasmtime".into());
    let said = user.line(line).refusal(64);
    assert!(
        said.contains("c/milepost.wasm: there is no wasmtime"),
        "{said}"
    );
    assert!(!is_there(&user, file));
    let dry = format!("{line} --dry-run");
    let said = user.line(&dry).refusal(64);
    assert!(
        said.contains("c/milepost.wasm: there is no wasmtime"),
        "{said}"
    );
    set_compiled(&mut user, Json::Null);
    let said = user.line(&dry).refusal(64);
    assert!(
        said.contains("c/milepost.wasm: there is no such file"),
        "{said}"
    );
    user.write("c/milepost.wasm", "");
    assert!(user.line(&dry).answer().contains("milepost.cwasm"));
    assert!(!is_there(&user, file));
    set_compiled(&mut user, true.into());
    user.line(line).answer();
    let compiled = format!("{}/c/milepost.cwasm\\\" hook codex", user.working());
    assert!(user.read(file).contains(&compiled), "{}", user.read(file));
}
