//! `--dir`: another state folder than `.claude/state`.

use super::{User, at, parse};

const PHASE: [&str; 5] = ["phase", "design", "a", "pending", "--quiet"];

#[test]
fn a_state_folder_elsewhere_is_named_with_dir() {
    let mut user = User::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let absolute = elsewhere.path().join("state").display().to_string();
    for dir in ["work/state", &absolute] {
        let phase = [&PHASE[..], &["--dir", dir]].concat();
        user.run(&phase).answer();
        let shown = user
            .run(&["show", "design", "--json", "--dir", dir])
            .answer();
        assert!(shown.contains("\"command\": \"design\""), "{shown}");
    }
    assert!(
        elsewhere
            .path()
            .join("state/design-checkpoint.json")
            .is_file()
    );
    assert!(
        user.read("work/state/design-checkpoint.json")
            .contains("\"a\"")
    );
    user.line("show design").refusal(1);
    let reason = user.line("show design --dir ../state").refusal(64);
    assert!(reason.contains("without `..`"), "{reason}");
}

#[test]
fn a_command_that_helps_works_on_another_state_folder_as_well() {
    let mut user = User::new();
    user.run(&[&PHASE[..], &["--dir", "my state"]].concat())
        .answer();
    user.write("my state/design-checkpoint.json", "{ torn");
    let said = user.run(&["show", "design", "--dir", "my state"]);
    assert!(
        said.error.contains("`milepost doctor --dir 'my state'`"),
        "{said:?}"
    );
    let said = user.run(&["doctor", "--dir", "my state"]);
    let remedy = "milepost recover design --dir 'my state'";
    assert!(said.output.contains(remedy), "{said:?}");
}

#[cfg(unix)]
#[test]
fn a_claude_folder_that_is_a_symlink_is_refused_with_a_way_out() {
    for link in [".claude", ".claude/state"] {
        let mut user = User::new();
        let real = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(user.folder.path().join(link).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(real.path(), user.folder.path().join(link)).unwrap();
        for verb in [&PHASE[..], &["show", "design"], &["status"]] {
            let reason = user.run(verb).refusal(65);
            assert!(
                reason.contains(&format!("{link} is a symbolic link")),
                "{reason}"
            );
            assert!(reason.contains("`--dir DIR`"), "{reason}");
            assert!(reason.contains("Put a folder in its place"), "{reason}");
        }
        let error = user.run(&["show", "design", "--json"]).error;
        let kind = parse(error.trim());
        assert_eq!(at(&kind, "error.advice.kind").as_str(), Some("name_dir"));
        let dir = real.path().display().to_string();
        user.run(&[&PHASE[..], &["--dir", &dir]].concat()).answer();
    }
}
