//! The steps that fix a finding of doctor, as commands of a POSIX shell.

use std::fmt::Write;

use crate::doctor::Mend;
use crate::text::shell_word;

use super::advice::{CommandPlace, command, recover_thread};

/// The command that takes these steps, to be run in the root; `None` where there are none. `place` is
/// what a command of this program needs of it.
pub(super) fn line(steps: &[Mend], place: &CommandPlace) -> Option<String> {
    let steps: Vec<String> = steps.iter().map(|it| step(it, place)).collect();
    (!steps.is_empty()).then(|| steps.join(" && "))
}

fn step(step: &Mend, place: &CommandPlace) -> String {
    match step {
        Mend::Fix => command("doctor --fix", None, place),
        Mend::Recover(target) => command("recover", Some(target), place),
        Mend::RecoverThread(thread) => command(&recover_thread(thread), None, place),
        Mend::Validate(path) => command(&format!("validate {}", shell_word(path)), None, place),
        Mend::Move { from, to } => format!("mv {} {}", shell_word(from), shell_word(to)),
        Mend::Remove(path) => format!("rm {}", shell_word(path)),
        Mend::Restrict(path) => format!("chmod go-rwx {}", shell_word(path)),
        Mend::PermitFile(path) => format!("chmod u+rw {}", shell_word(path)),
        Mend::PermitFolder(path) => format!("chmod u+rwx {}", shell_word(path)),
        Mend::Untrack(path) => format!("git rm -r --cached -- {}", shell_word(path)),
        Mend::Clear { folder, kept } => {
            let mut find = format!("find {} -maxdepth 1 -type f", shell_word(folder));
            for name in *kept {
                let _ = write!(find, " ! -name {}", shell_word(name));
            }
            find + " -delete"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CommandPlace, line};
    use crate::doctor::Mend;
    use crate::error::Target;

    #[test]
    fn every_step_is_a_command_with_the_root_that_was_named() {
        let path = || "my state/a".to_owned();
        let target = Target {
            command: "design".to_owned(),
            feature: Some("Dark".to_owned()),
        };
        let moved = Mend::Move {
            from: path(),
            to: "a~".to_owned(),
        };
        let clear = Mend::Clear {
            folder: path(),
            kept: &["*.json"],
        };
        let place = CommandPlace {
            root: Some(".".to_owned()),
            ..CommandPlace::default()
        };
        for (step, expected) in [
            (Mend::Fix, "milepost doctor --fix --root ."),
            (
                Mend::Recover(target),
                "milepost recover design --feature Dark --root .",
            ),
            (
                Mend::RecoverThread("chat 1".to_owned()),
                "milepost thread recover 'chat 1' --root .",
            ),
            (
                Mend::Validate(path()),
                "milepost validate 'my state/a' --root .",
            ),
            (moved, "mv 'my state/a' 'a~'"),
            (Mend::Remove(path()), "rm 'my state/a'"),
            (Mend::Restrict(path()), "chmod go-rwx 'my state/a'"),
            (Mend::PermitFile(path()), "chmod u+rw 'my state/a'"),
            (Mend::PermitFolder(path()), "chmod u+rwx 'my state/a'"),
            (Mend::Untrack(path()), "git rm -r --cached -- 'my state/a'"),
            (
                clear,
                "find 'my state/a' -maxdepth 1 -type f ! -name '*.json' -delete",
            ),
        ] {
            assert_eq!(line(&[step], &place).as_deref(), Some(expected));
        }
    }

    #[test]
    fn steps_follow_each_other_as_long_as_they_succeed() {
        let steps = [Mend::Remove("a".to_owned()), Mend::Fix];
        let expected = "rm a && milepost doctor --fix";
        assert_eq!(
            line(&steps, &CommandPlace::default()).as_deref(),
            Some(expected)
        );
        assert_eq!(line(&[], &CommandPlace::default()), None);
    }
}
