//! The steps that fix a finding of doctor, as commands of a POSIX shell.

use std::fmt::Write;

use crate::doctor::FixStep;
use crate::text::shell_word;

use super::advice::{CommandContext, command, recover_thread};

/// The command that takes these steps, to be run in the root; `None` where there are none. `context` is
/// what a command of this program needs of it.
pub(super) fn line(steps: &[FixStep], context: &CommandContext) -> Option<String> {
    let steps: Vec<String> = steps.iter().map(|it| step(it, context)).collect();
    (!steps.is_empty()).then(|| steps.join(" && "))
}

fn step(step: &FixStep, context: &CommandContext) -> String {
    match step {
        FixStep::Fix => command("doctor --fix", None, context),
        FixStep::FixIn(database) => {
            let [store, named, option, project] = database.words();
            let (named, project) = (shell_word(&named), shell_word(&project));
            let verb = format!("doctor --fix {store} {named} {option} {project}");
            let rest = CommandContext {
                store: None,
                project: None,
                ..context.clone()
            };
            command(&verb, None, &rest)
        }
        FixStep::Recover(target) => command("recover", Some(target), context),
        FixStep::RecoverThread(thread) => command(&recover_thread(thread), None, context),
        FixStep::Validate(path) => {
            command(&format!("validate {}", shell_word(path)), None, context)
        }
        FixStep::Move { from, to } => format!("mv {} {}", shell_word(from), shell_word(to)),
        FixStep::Remove(path) => format!("rm {}", shell_word(path)),
        FixStep::Restrict(path) => format!("chmod go-rwx {}", shell_word(path)),
        FixStep::PermitFile(path) => format!("chmod u+rw {}", shell_word(path)),
        FixStep::PermitFolder(path) => format!("chmod u+rwx {}", shell_word(path)),
        FixStep::Untrack(path) => format!("git rm -r --cached -- {}", shell_word(path)),
        FixStep::Clear { folder, kept } => {
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
    use super::{CommandContext, line};
    use crate::agent::registration::DatabaseRef;
    use crate::doctor::FixStep;
    use crate::error::Target;

    #[test]
    fn every_step_is_a_command_with_the_root_that_was_named() {
        let path = || "my state/a".to_owned();
        let target = Target {
            command: "design".to_owned(),
            feature: Some("Dark".to_owned()),
        };
        let moved = FixStep::Move {
            from: path(),
            to: "a~".to_owned(),
        };
        let database = DatabaseRef {
            variable: Some("URL".to_owned()),
            project: "my shop".to_owned(),
        };
        let clear = FixStep::Clear {
            folder: path(),
            kept: &["*.json"],
        };
        let context = CommandContext {
            root: Some(".".to_owned()),
            ..CommandContext::default()
        };
        for (step, expected) in [
            (FixStep::Fix, "milepost doctor --fix --root ."),
            (
                FixStep::FixIn(database),
                "milepost doctor --fix --store env:URL --project 'my shop' --root .",
            ),
            (
                FixStep::Recover(target),
                "milepost recover design --feature Dark --root .",
            ),
            (
                FixStep::RecoverThread("chat 1".to_owned()),
                "milepost thread recover 'chat 1' --root .",
            ),
            (
                FixStep::Validate(path()),
                "milepost validate 'my state/a' --root .",
            ),
            (moved, "mv 'my state/a' 'a~'"),
            (FixStep::Remove(path()), "rm 'my state/a'"),
            (FixStep::Restrict(path()), "chmod go-rwx 'my state/a'"),
            (FixStep::PermitFile(path()), "chmod u+rw 'my state/a'"),
            (FixStep::PermitFolder(path()), "chmod u+rwx 'my state/a'"),
            (
                FixStep::Untrack(path()),
                "git rm -r --cached -- 'my state/a'",
            ),
            (
                clear,
                "find 'my state/a' -maxdepth 1 -type f ! -name '*.json' -delete",
            ),
        ] {
            assert_eq!(line(&[step], &context).as_deref(), Some(expected));
        }
    }

    #[test]
    fn steps_follow_each_other_as_long_as_they_succeed() {
        let steps = [FixStep::Remove("a".to_owned()), FixStep::Fix];
        let expected = "rm a && milepost doctor --fix";
        assert_eq!(
            line(&steps, &CommandContext::default()).as_deref(),
            Some(expected)
        );
        assert_eq!(line(&[], &CommandContext::default()), None);
    }
}
