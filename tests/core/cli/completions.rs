//! Completion scripts, as shells run them.

use std::process::Command;

use super::User;

/// What bash offers for the last of these words.
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
fn nothing_was_completed_behind_npx() {
    let script = User::new().line("completions bash").answer();
    for before in [&["milepost"][..], &["npx", "milepost"]] {
        let words = [before, &["re"]].concat();
        assert_eq!(
            offered(&script, &words),
            "resume\nrename\nremove\nrestore\nredo\nrecover\n",
            "{words:?}"
        );
        let words = [before, &["resume", "--fe"]].concat();
        assert_eq!(offered(&script, &words), "--feature\n", "{words:?}");
        let words = [before, &["create", "--reason", "ha"]].concat();
        assert_eq!(offered(&script, &words), "handoff\n", "{words:?}");
    }
    // Another package is none of ours, and the first word behind npx is the shell's.
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
