//! The advice after a failure, as commands of this program.

use std::cell::Cell;

use crate::error::{Advice, Code, Error, ErrorKind, FilePurpose, Target, Written};
use crate::text::shell_word;

use super::program::ProgramName;

/// The parts of the place that the caller named, and the words that called the program: a command that helps needs both.
#[derive(Clone, Debug, Default)]
pub(super) struct CommandContext {
    pub(super) program: ProgramName,
    /// The verb of the call, once that is known.
    pub(super) verb: Option<&'static str>,
    pub(super) root: Option<String>,
    pub(super) dir: Option<String>,
    pub(super) store: Option<String>,
    pub(super) project: Option<String>,
    /// True once the caller named a run without a feature: where the option is left out, that of the branch is meant.
    pub(super) is_featureless: Cell<bool>,
}

impl CommandContext {
    /// That of a program whose caller named nothing.
    pub(super) fn of(program: ProgramName) -> Self {
        CommandContext {
            program,
            ..CommandContext::default()
        }
    }

    /// The place without a database, for what is in files in any case.
    fn of_files(&self) -> CommandContext {
        CommandContext {
            store: None,
            project: None,
            ..self.clone()
        }
    }
}

/// The sentence, with the place that the caller named in its command.
pub(super) fn words(advice: &Advice, context: &CommandContext) -> String {
    match advice {
        Advice::Recover(target) => {
            format!(
                "`{}` brings it back.",
                command("recover", Some(target), context)
            )
        }
        Advice::Undo(target) => {
            format!(
                "`{}` goes back to it.",
                command("undo", Some(target), context)
            )
        }
        Advice::Restore(target) => format!(
            "`{}` goes back to the revision before it, `{}` to the last good one.",
            command("undo", Some(target), context),
            command("recover", Some(target), context)
        ),
        Advice::Log(target) => {
            format!(
                "`{}` lists the revisions that are kept.",
                command("log", Some(target), context)
            )
        }
        Advice::Show(target) => {
            format!(
                "Read it with `{}`, apply your change to that, and save it.",
                line("show", Some(target), "--json", context)
            )
        }
        Advice::Complete(target) => format!(
            "Complete or skip them, or `{}` marks them as skipped.",
            line("complete", Some(target), "--force", context)
        ),
        Advice::Doctor if context.store.is_some() => "Fix its record in the database.".to_owned(),
        Advice::Doctor => format!("`{}` says how to fix it.", command("doctor", None, context)),
        Advice::NameRoot => "`--root .` keeps the state here.".to_owned(),
        Advice::CheckRoot => "It was named by `--root`: check its spelling.".to_owned(),
        Advice::CheckGitRoot => {
            "It was named by the environment variable GIT_ROOT: unset it, or name the root by \
             `--root`."
                .to_owned()
        }
        Advice::NameDir => {
            "Put a folder in its place, or name the one that it leads to with `--dir DIR`."
                .to_owned()
        }
        Advice::AllowLoss => {
            "`--lose` with its path allows that for this file, and `--force` for every one."
                .to_owned()
        }
        Advice::ForceRestore => {
            "`--force` restores onto this commit, and writes only the files that the snapshot holds."
                .to_owned()
        }
        Advice::RemoveCause => "Remove the cause, and restore again.".to_owned(),
        Advice::DeleteTask(_) => {
            "Put it back from a backup, or delete the task: its next save begins a new one."
                .to_owned()
        }
        Advice::DeleteThread(_) => "Put it back from a backup, or delete the thread.".to_owned(),
        Advice::RecoverThread(thread) => match thread {
            Some(thread) => format!(
                "`{}` brings back what can be read.",
                command(&recover_thread(thread), None, context)
            ),
            None => format!(
                "`{}`, with its id, brings back what can be read.",
                command("thread recover THREAD", None, context)
            ),
        },
    }
}

/// The words that bring back a thread.
pub(super) fn recover_thread(thread: &str) -> String {
    format!("thread recover {}", shell_word(thread))
}

/// The advice after a failure of this kind, regardless of its object.
pub(super) fn of_code(error: &Error, context: &CommandContext) -> Option<String> {
    let doctor = || command("doctor", None, context);
    Some(match error.code() {
        Code::SummaryTooLong => {
            // It works in any folder.
            let count = command(
                "tokens -",
                None,
                &CommandContext::of(context.program.clone()),
            );
            format!("Shorten it; `{count}` counts its words, `--encoding` the tokens of a model.")
        }
        Code::Corrupt if is_of_people(error) => format!(
            "The file is unchanged. Fix it, or remove it: `{}` writes a new one.",
            command("init", None, &context.of_files())
        ),
        // A database has no folder to examine.
        Code::Corrupt if context.store.is_some() => "The record is unchanged.".to_owned(),
        Code::Corrupt => format!("The file is unchanged. `{}` says how to fix it.", doctor()),
        // The sentence says what was.
        Code::Conflict if error.written() != Written::No => return None,
        Code::Conflict => "Nothing was written.".to_owned(),
        Code::Busy => match error.written() {
            Written::No => "Nothing was written.".to_owned(),
            Written::Yes | Written::Unknown => "Part of it may be written.".to_owned(),
        },
        // The advice knows better what helps.
        Code::Usage if error.advice().is_some() => return None,
        Code::Usage => {
            let program = context.program.words();
            match context.verb {
                Some(verb) => format!("`{program} {verb} --help` shows its usage."),
                None => format!("`{program} --help` shows the commands."),
            }
        }
        Code::InvalidName
        | Code::InvalidDocument
        | Code::NotFound
        | Code::UnsafePath
        | Code::TooLarge
        | Code::UnsupportedVersion
        | Code::Io => return None,
    })
}

/// Returns true for a file that people write.
fn is_of_people(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Corrupt {
            file: FilePurpose::Integrations,
            ..
        }
    )
}

/// A command of this program.
pub(super) fn command(verb: &str, target: Option<&Target>, context: &CommandContext) -> String {
    line(verb, target, "", context)
}

/// A command of this program, with words of a shell after the command of the run.
pub(super) fn line(
    verb: &str,
    target: Option<&Target>,
    words: &str,
    context: &CommandContext,
) -> String {
    let mut command = format!("{} {verb}", context.program.words());
    if let Some(target) = target {
        command.push(' ');
        command.push_str(&shell_word(&target.command));
    }
    if !words.is_empty() {
        command.push(' ');
        command.push_str(words);
    }
    match target.map(|target| target.feature.as_deref()) {
        Some(Some(feature)) => {
            command.push_str(" --feature ");
            command.push_str(&shell_word(feature));
        }
        Some(None) if context.is_featureless.get() => command.push_str(" --feature="),
        Some(None) | None => {}
    }
    for (option, value) in [
        (" --root ", &context.root),
        (" --dir ", &context.dir),
        (" --store ", &context.store),
        (" --project ", &context.project),
    ] {
        if let Some(value) = value {
            command.push_str(option);
            command.push_str(&shell_word(value));
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::{CommandContext, ProgramName, command, of_code, words};
    use crate::error::{Advice, Error, Target, Written};

    #[test]
    fn every_command_that_helps_works_on_the_root_and_the_folder_that_were_named() {
        let context = CommandContext {
            root: Some("/a".to_owned()),
            dir: Some("/b".to_owned()),
            ..CommandContext::default()
        };
        let corrupt = Error::corrupt("a.json".to_owned(), "torn".to_owned(), None);
        let line = of_code(&corrupt, &context).unwrap();
        let command = "`milepost doctor --root /a --dir /b`";
        let expected = format!("The file is unchanged. {command} says how to fix it.");
        assert_eq!(line, expected);
        let help = words(&Advice::Doctor, &context);
        assert_eq!(help, format!("{command} says how to fix it."));
    }

    #[test]
    fn a_command_that_helps_works_on_files_though_the_failure_was_in_a_database() {
        let context = CommandContext {
            store: Some("env:DATABASE_URL".to_owned()),
            project: Some("my shop".to_owned()),
            ..CommandContext::default()
        };
        assert_eq!(
            command("recover", None, &context),
            "milepost recover --store env:DATABASE_URL --project 'my shop'"
        );
        let corrupt = Error::corrupt("a.json".to_owned(), "torn".to_owned(), None);
        let line = of_code(&corrupt, &context).unwrap();
        assert_eq!(line, "The record is unchanged.");
    }

    #[test]
    fn every_command_that_helps_begins_with_the_words_that_start_the_program() {
        let context = CommandContext::of(ProgramName::new("npx milepost"));
        assert_eq!(command("doctor", None, &context), "npx milepost doctor");
        let usage = of_code(&Error::usage("no".to_owned()), &context);
        let expected = "`npx milepost --help` shows the commands.";
        assert_eq!(usage.as_deref(), Some(expected));
        let context = CommandContext {
            verb: Some("gate"),
            ..context
        };
        let usage = of_code(&Error::usage("no".to_owned()), &context);
        let expected = "`npx milepost gate --help` shows its usage.";
        assert_eq!(usage.as_deref(), Some(expected));
    }

    #[test]
    fn a_conflict_names_the_run_to_show() {
        let target = Target {
            command: "design".to_owned(),
            feature: Some("dark".to_owned()),
        };
        let line = words(&Advice::Show(target), &CommandContext::default());
        let command = "`milepost show design --json --feature dark`";
        assert!(line.contains(command), "{line}");
    }

    #[test]
    fn a_run_with_open_phases_is_completed_by_the_command_that_helps() {
        let target = Target {
            command: "design".to_owned(),
            feature: Some("dark".to_owned()),
        };
        let line = words(&Advice::Complete(target), &CommandContext::default());
        let command = "`milepost complete design --force --feature dark`";
        assert!(line.contains(command), "{line}");
    }

    #[test]
    fn a_run_that_was_named_without_a_feature_is_named_so_by_the_command_that_helps() {
        let target = |feature: Option<&str>| Target {
            command: "design".to_owned(),
            feature: feature.map(str::to_owned),
        };
        let context = CommandContext::default();
        let line = || words(&Advice::Complete(target(None)), &context);
        assert!(line().contains("`milepost complete design --force`"));
        context.is_featureless.set(true);
        let expected = "`milepost complete design --force --feature=`";
        assert!(line().contains(expected), "{}", line());
        assert_eq!(
            command("undo", Some(&target(Some("dark"))), &context),
            "milepost undo design --feature dark"
        );
        assert_eq!(command("doctor", None, &context), "milepost doctor");
    }

    #[test]
    fn a_conflict_after_which_something_is_written_is_not_said_to_have_written_nothing() {
        let conflict = Error::conflict("changed".to_owned(), Vec::new());
        let line = of_code(&conflict, &CommandContext::default());
        assert_eq!(line.as_deref(), Some("Nothing was written."));
        let conflict = conflict.with_written(Written::Yes);
        assert_eq!(of_code(&conflict, &CommandContext::default()), None);
    }

    #[test]
    fn a_thread_that_cannot_be_read_is_brought_back_by_its_id() {
        let context = CommandContext {
            dir: Some("my agents".to_owned()),
            ..CommandContext::default()
        };
        for (thread, expected) in [
            (
                Some("chat 1".to_owned()),
                "milepost thread recover 'chat 1' --dir 'my agents'",
            ),
            (None, "milepost thread recover THREAD --dir 'my agents'"),
        ] {
            let line = words(&Advice::RecoverThread(thread), &context);
            assert!(line.contains(&format!("`{expected}`")), "{line}");
        }
    }

    #[test]
    fn a_configuration_that_is_not_json_is_called_a_configuration() {
        let error = Error::corrupt_integrations("integrations.json".to_owned(), "torn".to_owned());
        let expected = "Integrations file exists but is corrupt: integrations.json (torn)";
        assert_eq!(error.to_string(), expected);
        let line = of_code(&error, &CommandContext::default()).unwrap();
        assert!(
            line.contains("`milepost init`") && !line.contains("doctor"),
            "{line}"
        );
    }

    #[test]
    fn a_command_names_the_run_and_the_root_that_was_named() {
        let target = Target {
            command: "design".to_owned(),
            feature: Some("a".to_owned()),
        };
        let context = CommandContext {
            root: Some("/my work".to_owned()),
            ..CommandContext::default()
        };
        assert_eq!(
            command("recover", Some(&target), &context),
            "milepost recover design --feature a --root '/my work'"
        );
        assert_eq!(
            command("doctor", None, &CommandContext::default()),
            "milepost doctor"
        );
    }
}
