//! Completion scripts, as shells run them.

use std::process::Command;

use super::User;

/// The words that bash offers for the last of these words.
fn offered(script: &str, words: &[&str]) -> String {
    let last = words.len() - 1;
    let before = words[last - 1];
    let list: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let script = format!(
        "{script}\nset -- {}\nCOMP_WORDS=(\"$@\")\nCOMP_CWORD={last}\nspec=$(complete -p {})\n\
         function=${{spec#*-F }}\nfunction=${{function%% *}}\n\
         \"$function\" '{}' '{}' '{before}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        list.join(" "),
        words[0],
        words[0],
        words[last],
    );
    let run = Command::new("bash")
        .args(["--norc", "-c", &script])
        // Bash warns of a locale that the machine does not have.
        .env("LC_ALL", "C")
        .output();
    let run = run.unwrap();
    assert!(run.stderr.is_empty(), "{run:?}");
    String::from_utf8(run.stdout).unwrap()
}

#[cfg(unix)]
#[test]
fn verbs_options_and_values_are_completed_behind_npx_as_behind_milepost() {
    let script = User::new().line("completions bash").answer();
    for before in [&["milepost"][..], &["npx", "milepost"]] {
        let words = [before, &["re"]].concat();
        assert_eq!(
            offered(&script, &words),
            "resume\nredo\nrewind\nrename\nremove\nrecover\nrestore\n",
            "{words:?}"
        );
        let words = [before, &["resume", "--fe"]].concat();
        assert_eq!(offered(&script, &words), "--feature\n", "{words:?}");
        for create in [&["create"][..], &["snapshot", "create"]] {
            let words = [before, create, &["--reason", "ha"]].concat();
            assert_eq!(offered(&script, &words), "handoff\n", "{words:?}");
        }
    }
    // Another package is not ours, and the first word behind npx is the shell's.
    assert_eq!(offered(&script, &["npx", "prettier", "re"]), "\n");
}

#[cfg(unix)]
#[test]
fn a_completion_of_npx_that_is_there_is_left_alone() {
    let script = User::new().line("completions bash").answer();
    let script = format!("mine() {{ COMPREPLY=(mine); }}\ncomplete -F mine npx\n{script}");
    assert_eq!(offered(&script, &["npx", "milepost", "re"]), "mine\n");
}

#[test]
fn every_shell_with_a_page_of_its_own_completes_npx() {
    let help = User::new().line("completions --help").answer();
    for shell in ["bash", "zsh", "fish"] {
        let script = User::new().line(&format!("completions {shell}")).answer();
        assert!(script.contains("milepost_by_npx"), "{shell}");
        assert!(
            help.contains(&format!("milepost completions {shell}")),
            "{help}"
        );
    }
}

#[cfg(unix)]
#[test]
fn candidates_of_the_program_stand_beside_those_of_the_script() {
    let script = User::new().line("completions bash").answer();
    let program = r#"milepost() {
        [[ "$*" == "completions bash -- phase design a" ]] && printf 'add it\nask\n'
    }"#;
    let script = format!("{program}\n{script}");
    for before in [&["milepost"][..], &["npx", "milepost"]] {
        let words = [before, &["phase", "design", "a"]].concat();
        assert_eq!(offered(&script, &words), "add\\ it\nask\n", "{words:?}");
    }
}

/// The candidates for the last of these words.
fn candidates(user: &mut User, words: &[&str]) -> Vec<String> {
    let line = [&["completions", "bash", "--"], words].concat();
    user.run(&line)
        .answer()
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn commands_features_phases_and_snapshots_are_completed_from_the_store() {
    let mut user = User::new();
    user.line("begin implement parser printer -f dark").answer();
    user.line("begin implement read").answer();
    user.run(&["begin", "design", "the sketch"]).answer();
    let made = user.line("snapshot create --reason handoff").answer();
    let id = made.split_whitespace().next().unwrap().to_owned();
    let id = id.as_str();
    for (words, expected) in [
        (&["resume", ""][..], &["design", "implement"][..]),
        (&["-q", "log", "im"], &["implement"]),
        (&["show", ""], &[id, "design", "implement"]),
        (&["show", "chk"], &[id]),
        (&["gate", "implement", "--feature", ""], &["dark"]),
        (&["gate", "implement", "-f", "x"], &[]),
        (&["gate", "design", "-f", ""], &[]),
        (
            &["phase", "implement", "--feature", "dark", "p"],
            &["parser", "printer"],
        ),
        (
            &["phase", "implement", "--feature=dark", "-m", "x", "r"],
            &[],
        ),
        (&["phase", "design", ""], &["the sketch"]),
        (&["phase", "ship", ""], &[]),
        (&["begin", "implement", "read", "r"], &["read"]),
        (&["snapshot", "restore", ""], &[id]),
        (&["snapshot", "verify", "--id", "chk"], &[id]),
        (&["snapshot", "diff", id, ""], &[id]),
        (&["restore", "--id", ""], &[id]),
        (&["snapshot", "create", "--from", ""], &[]),
        (&["no-verb", ""], &[]),
        (&[""], &[]),
    ] {
        assert_eq!(candidates(&mut user, words), expected, "{words:?}");
    }
    let root = user.working();
    let mut elsewhere = User::new();
    assert_eq!(
        candidates(&mut elsewhere, &["-C", &root, "log", ""]),
        ["design", "implement"]
    );
    assert_eq!(candidates(&mut elsewhere, &["log", ""]), [""; 0]);
    assert_eq!(elsewhere.folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_store_that_cannot_be_read_completes_nothing_and_says_nothing() {
    let mut user = User::new();
    user.write(".claude/state/design-checkpoint.json", "{ torn");
    for words in [&["phase", "design", ""][..], &["gate", "design", "-f", ""]] {
        assert_eq!(candidates(&mut user, words), [""; 0], "{words:?}");
    }
}
