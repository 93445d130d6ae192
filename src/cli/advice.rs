//! What would help after a failure, as a command of this program.

use crate::error::{Advice, Code, Error, ErrorKind, Target, Written};

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
        Code::Corrupt => format!("It was left as it is. `{}` says what mends it.", doctor()),
        Code::Conflict if is_about(error, &["/to"]) => "Nothing was written.".to_owned(),
        Code::Conflict => format!(
            "Nothing was written. Read it with `{}`, apply your change to that, and save it.",
            command("show COMMAND --json", None, root)
        ),
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

fn is_about(error: &Error, names: &[&str]) -> bool {
    let ErrorKind::Conflict { fields, .. } = error.kind() else {
        return false;
    };
    fields.iter().any(|field| names.contains(&field.as_str()))
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
    use super::{command, of_code, word};
    use crate::error::{Error, Target};

    #[test]
    fn every_command_that_helps_works_on_the_root_that_was_named() {
        let conflict = Error::conflict("It changed".to_owned(), vec!["/state".to_owned()]);
        let line = of_code(&conflict, Some("/a")).unwrap();
        let command = "`milepost show COMMAND --json --root /a`";
        assert!(line.contains(command), "{line}");
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
