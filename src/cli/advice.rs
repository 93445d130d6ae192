//! What would help after a failure, as a command of this program.

use crate::error::{Advice, Code, Error, ErrorKind, File, Target, Written};

/// The sentence, with the root that the caller named in its command.
pub(super) fn words(advice: &Advice, root: Option<&str>) -> String {
    match advice {
        Advice::Recover(target) => {
            format!(
                "`{}` brings it back.",
                command("recover", Some(target), root)
            )
        }
        Advice::Undo(target) => {
            format!("`{}` goes back to it.", command("undo", Some(target), root))
        }
        Advice::Restore(target) => format!(
            "`{}` goes back to the revision before it, `{}` to the last good one.",
            command("undo", Some(target), root),
            command("recover", Some(target), root)
        ),
        Advice::Log(target) => {
            format!(
                "`{}` lists the revisions that are kept.",
                command("log", Some(target), root)
            )
        }
        Advice::Show(target) => {
            format!(
                "Read it with `{}`, apply your change to that, and save it.",
                line("show", Some(target), "--json", root)
            )
        }
        Advice::Doctor => format!("`{}` says what mends it.", command("doctor", None, root)),
        Advice::NameRoot => "`--root .` keeps the state here.".to_owned(),
        Advice::CheckRoot => "It was named by `--root`: check its spelling.".to_owned(),
        Advice::CheckGitRoot => {
            "It was named by the environment variable GIT_ROOT: unset it, or name the root by \
             `--root`."
                .to_owned()
        }
    }
}

/// What helps after a failure of this kind, whatever it was about.
pub(super) fn of_code(error: &Error, root: Option<&str>) -> Option<String> {
    let doctor = || command("doctor", None, root);
    Some(match error.code() {
        Code::SummaryTooLong => "Shorten it; `milepost tokens -` counts.".to_owned(),
        Code::Corrupt if is_of_people(error) => format!(
            "It was left as it is. Mend it, or remove it: `{}` writes a new one.",
            command("init", None, root)
        ),
        Code::Corrupt => format!("It was left as it is. `{}` says what mends it.", doctor()),
        Code::Conflict => "Nothing was written.".to_owned(),
        Code::Busy => match error.written() {
            Written::No => "Nothing was written. Try again.".to_owned(),
            Written::Yes | Written::Unknown => "Some of it may be written. Try again.".to_owned(),
        },
        Code::UnsupportedVersion => "Use a newer milepost.".to_owned(),
        Code::Usage => "`milepost --help` shows the commands.".to_owned(),
        Code::InvalidName
        | Code::InvalidDocument
        | Code::NotFound
        | Code::UnsafePath
        | Code::TooLarge
        | Code::Io => return None,
    })
}

/// Whether people write the file.
fn is_of_people(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Corrupt {
            file: File::Integrations,
            ..
        }
    )
}

/// A command of this program.
pub(super) fn command(verb: &str, target: Option<&Target>, root: Option<&str>) -> String {
    line(verb, target, "", root)
}

/// The same, with words of a shell after the checkpoint's command.
pub(super) fn line(verb: &str, target: Option<&Target>, words: &str, root: Option<&str>) -> String {
    let mut command = format!("milepost {verb}");
    if let Some(target) = target {
        command.push(' ');
        command.push_str(&word(&target.command));
    }
    if !words.is_empty() {
        command.push(' ');
        command.push_str(words);
    }
    if let Some(feature) = target.and_then(|target| target.feature.as_deref()) {
        command.push_str(" --feature ");
        command.push_str(&word(feature));
    }
    if let Some(root) = root {
        command.push_str(" --root ");
        command.push_str(&word(root));
    }
    command
}

/// A word of a command, as a POSIX shell takes it.
pub(super) fn word(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/@%+=:,".contains(&byte);
    match text.bytes().all(is_plain) && !text.starts_with('-') && !text.is_empty() {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::{command, of_code, word, words};
    use crate::error::{Advice, Error, Target};

    #[test]
    fn every_command_that_helps_works_on_the_root_that_was_named() {
        let corrupt = Error::corrupt("a.json".to_owned(), "torn".to_owned(), None);
        let line = of_code(&corrupt, Some("/a")).unwrap();
        assert!(line.contains("`milepost doctor --root /a`"), "{line}");
    }

    #[test]
    fn a_conflict_told_to_show_a_checkpoint_of_no_name() {
        let target = Target {
            command: "design".to_owned(),
            feature: Some("dark".to_owned()),
        };
        let line = words(&Advice::Show(target), Some("/a"));
        let command = "`milepost show design --json --feature dark --root /a`";
        assert!(line.contains(command), "{line}");
    }

    #[test]
    fn a_configuration_that_is_no_json_was_called_a_checkpoint() {
        let error = Error::corrupt_integrations("integrations.json".to_owned(), "torn".to_owned());
        let expected = "Integrations file exists but is corrupt: integrations.json (torn)";
        assert_eq!(error.to_string(), expected);
        let line = of_code(&error, None).unwrap();
        assert!(
            line.contains("`milepost init`") && !line.contains("doctor"),
            "{line}"
        );
    }

    #[test]
    fn a_path_in_a_command_is_one_word_of_the_shell() {
        for (path, expected) in [
            (".claude/state/design-a.json", ".claude/state/design-a.json"),
            ("my state/a", "'my state/a'"),
            ("it's", r"'it'\''s'"),
            ("$(reboot)", "'$(reboot)'"),
            ("-rf", "'-rf'"),
            ("", "''"),
        ] {
            assert_eq!(word(path), expected);
        }
    }

    #[test]
    fn a_command_names_the_checkpoint_and_the_root_that_was_named() {
        let target = Target {
            command: "design".to_owned(),
            feature: Some("a".to_owned()),
        };
        assert_eq!(
            command("recover", Some(&target), Some("/my work")),
            "milepost recover design --feature a --root '/my work'"
        );
        assert_eq!(command("doctor", None, None), "milepost doctor");
    }
}
