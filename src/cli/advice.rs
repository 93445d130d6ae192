//! What would help after a failure, as a command of this program.

use crate::error::{Advice, Target};

/// The sentence, with the root that the caller named in its command.
pub(super) fn words(advice: &Advice, root: Option<&str>) -> String {
    match advice {
        Advice::Recover(target) => {
            format!(
                "`{}` brings it back.",
                command("recover", Some(target), root)
            )
        }
        Advice::Log(target) => {
            format!(
                "`{}` lists the revisions that are kept.",
                command("log", Some(target), root)
            )
        }
        Advice::Doctor => format!("`{}` says what mends it.", command("doctor", None, root)),
        Advice::NameRoot => "`--root .` keeps the state here.".to_owned(),
    }
}

/// A command of this program.
pub(super) fn command(verb: &str, target: Option<&Target>, root: Option<&str>) -> String {
    let mut command = format!("milepost {verb}");
    if let Some(target) = target {
        command.push(' ');
        command.push_str(&word(&target.command));
        if let Some(feature) = &target.feature {
            command.push_str(" --feature ");
            command.push_str(&word(feature));
        }
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
    use super::{command, word};
    use crate::error::Target;

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
