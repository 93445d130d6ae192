//! Before `milepost hooks status` and `milepost doctor`: the lines that are registered with agents, run as agents run
//! them.
//!
//! Settings may come with a clone, and nothing of a clone is run: a line that stands in a project is run only where it is
//! to the letter what `hooks install` writes, and what it runs is this very program. Its words are given to the file
//! that was looked at, because a shell may find another one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::agent::Agent;
use crate::agent::registration::{
    LineRun, LineRuns, Program, SettingsScope, hook_words, is_as_registered, names_native_program,
};
use crate::blocking::cli::HookTrials;
use crate::blocking::effect::Io;
use crate::blocking::operation::Settings;
use crate::blocking::operation::hooks::User;
use crate::blocking::operation::hooks::hooks_status::{RegisteredFile, hooks_status};
use crate::blocking::operation::project::location::location;
use crate::json::{self, Object};

use super::hook::{TRIAL, WORKS};
use super::process::{self, ProgramEnd, ProgramOutput};
use super::program_file;
use super::system::{self, Pieces, io_failed};

/// The time that a hook may take.
const LIMIT: Duration = Duration::from_secs(10);
/// More than a hook prints.
const MAX_OUTPUT: usize = 1 << 20;
/// So long its line on standard error may be on the way, once it has ended.
const SAID_TIME: Duration = Duration::from_millis(100);
/// So many events are timed, and the one in the middle counts.
const TIMED: usize = 10;

/// Runs the registered lines of the project and of the user.
pub(super) fn run(io: &Io, settings: &Settings, user: &User, trials: &HookTrials) -> LineRuns {
    let settings = Settings {
        root: trials.root.clone().or(settings.root.clone()),
        ..settings.clone()
    };
    // The call itself says what is wrong with the place or the settings.
    let Ok(located) = location(io, &settings).result else {
        return LineRuns::default();
    };
    let Ok(files) = hooks_status(io, &settings, user).result else {
        return LineRuns::default();
    };
    let times = if trials.are_timed { TIMED } else { 1 };
    let runs = files
        .iter()
        .filter_map(|file| trial(file, &located.root, times));
    LineRuns::new(runs.collect())
}

/// The result of the line in a file; `None` where it is not run.
fn trial(file: &RegisteredFile, root: &str, times: usize) -> Option<LineRun> {
    let found = file.found.as_ref().ok()?;
    let command = found.commands.first()?;
    if !is_as_registered(file.agent, file.scope, command) {
        return None;
    }
    let run = |result| LineRun {
        command: command.clone(),
        result,
    };
    let is_of_user = file.scope == SettingsScope::User;
    let started = match found.program.as_ref()? {
        Program::Native(native) => {
            let Some(program) = native_file(native.as_deref()) else {
                return Some(run(Err(match native {
                    Some(file) => format!("{file} is not there"),
                    None => "milepost is not on the PATH".to_owned(),
                })));
            };
            let program = if is_of_user {
                program
            } else {
                this_program(&program)?
            };
            let words = hook_words(command)?;
            StartedLine::Words { program, words }
        }
        // Windows may find another program by a name than the one that the user means.
        _ if is_of_user && cfg!(unix) => StartedLine::of(command),
        _ => return None,
    };
    Some(run(timed(times, || run_line(&started, root))))
}

/// The file of a native program, by its path or by its name on the PATH, where it is there.
fn native_file(file: Option<&str>) -> Option<PathBuf> {
    match file {
        Some(file) => Some(PathBuf::from(file)).filter(|it| program_file::is_program(it)),
        None => program_file::on_path(),
    }
}

/// The file of this program, where a path leads to it.
fn this_program(file: &Path) -> Option<PathBuf> {
    let own = program_file::own().filter(|own| names_native_program(own))?;
    let is_same = fs::canonicalize(&own).ok()? == fs::canonicalize(file).ok()?;
    is_same.then(|| PathBuf::from(own))
}

/// A line that agents start.
enum StartedLine {
    /// A program and its words.
    Words {
        program: PathBuf,
        words: Vec<String>,
    },
    /// A line for a shell.
    OfShell(String),
}

impl StartedLine {
    /// A line for a shell, or the words of a plugin.
    fn of(command: &str) -> Self {
        let words = command.starts_with('[').then(|| words_of(command));
        match words.flatten().as_deref() {
            Some([program, words @ ..]) => StartedLine::Words {
                program: program.into(),
                words: words.to_vec(),
            },
            _ => StartedLine::OfShell(command.to_owned()),
        }
    }

    fn command(&self) -> Command {
        match self {
            StartedLine::Words { program, words } => {
                let mut command = Command::new(program);
                command.args(words);
                command
            }
            StartedLine::OfShell(line) => system::shell(line),
        }
    }
}

/// The time in the middle of several, where it is more than one; or the first failure.
fn timed(times: usize, run: impl Fn() -> Result<(), String>) -> Result<Option<Duration>, String> {
    let mut taken = Vec::with_capacity(times);
    for _ in 0..times {
        let begun = Instant::now();
        run()?;
        taken.push(begun.elapsed());
    }
    taken.sort();
    Ok((times > 1).then(|| taken[times / 2]))
}

/// Runs a line once, as an agent does, with an event that means nothing. No program is looked for in the folder where it
/// runs, which may be a clone.
fn run_line(line: &StartedLine, root: &str) -> Result<(), String> {
    let failed = |error: io::Error| io_failed(error).detail;
    let mut program = line.command();
    program.current_dir(root);
    program.env("PATH", program_file::absolute_path());
    let variables = Agent::ALL.map(Agent::project_variables);
    program.envs(variables.concat().into_iter().map(|name| (name, root)));
    let (input, mut payload) = io::pipe().map_err(failed)?;
    let (said, errors) = io::pipe().map_err(failed)?;
    let event = Object::new()
        .with("hook_event_name", TRIAL)
        .with("cwd", root);
    // A pipe takes this much at a time.
    writeln!(payload, "{}", event.to_line()).map_err(failed)?;
    drop(payload);
    program.stdin(Stdio::from(input)).stderr(errors);
    let run = process::run(&mut program, LIMIT, MAX_OUTPUT);
    // It holds an end of each pipe.
    drop(program);
    let ProgramOutput { bytes, end } = run.map_err(|failed| failed.detail)?;
    if bytes.trim_ascii() == WORKS.as_bytes() {
        return Ok(());
    }
    if let ProgramEnd::TooLate = end {
        return Err(format!("it took longer than {} seconds", LIMIT.as_secs()));
    }
    // A program that it has left behind may hold the other end.
    let mut text = Vec::new();
    let read = Pieces::of(said).next(&mut text, SAID_TIME);
    read.map_err(|failed| failed.detail)?;
    let text = String::from_utf8_lossy(&text);
    Err(match text.trim().lines().next() {
        Some(line) => line.to_owned(),
        None => "it ended without an answer".to_owned(),
    })
}

fn words_of(command: &str) -> Option<Vec<String>> {
    let reading = json::read(command.as_bytes()).ok()?;
    let words = reading.value.as_array()?.iter();
    words
        .map(|word| word.as_str().map(str::to_owned))
        .collect::<Option<_>>()
}

#[cfg(all(test, unix))]
mod tests {
    use std::cell::Cell;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::{
        Agent, LineRun, Program, RegisteredFile, SettingsScope, StartedLine, timed, trial,
    };
    use crate::agent::registration::RegisteredHooks;

    fn run_line(command: &str, root: &str) -> Result<(), String> {
        super::run_line(&StartedLine::of(command), root)
    }

    fn tried(scope: SettingsScope, file: &str, command: &str, root: &str) -> Option<LineRun> {
        let found = RegisteredHooks {
            commands: vec![command.to_owned()],
            program: Some(Program::Native(Some(file.to_owned()))),
            ..RegisteredHooks::default()
        };
        let file = RegisteredFile {
            agent: Agent::ClaudeCode,
            scope,
            path: String::new(),
            found: Ok(found),
            run: None,
            trust: None,
        };
        trial(&file, root, 1)
    }

    #[test]
    fn the_file_that_a_line_names_gets_its_words_and_no_shell_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("milepost");
        let script = "#!/bin/sh\ntest \"$*\" = 'hook claude-code user' && echo works\n";
        fs::write(&file, script).unwrap();
        let (root, file) = (folder.path().to_str().unwrap(), file.to_str().unwrap());
        let line = format!("\"{file}\" hook claude-code user ; exit 0");
        let try_it = |line: &str| tried(SettingsScope::User, file, line, root).map(|it| it.result);
        let missing = Err(format!("{file} is not there"));
        assert_eq!(try_it(&line), Some(missing), "it is no program");
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(try_it(&line), Some(Ok(None)));
        let unquoted = format!("{file} hook claude-code user ; exit 0");
        for other in [
            format!("{line} ; echo works"),
            unquoted,
            line.replace(" ; exit 0", ""),
            line.replace(file, "./milepost"),
        ] {
            assert!(try_it(&other).is_none(), "{other}");
        }
        for scope in [SettingsScope::Project, SettingsScope::Local] {
            let line = line.replace("user", scope.name()).replace(" project", "");
            assert!(tried(scope, file, &line, root).is_none(), "{line}");
        }
    }

    #[test]
    fn a_line_works_where_it_answers_the_trial_and_says_why_where_not() {
        let answers = "grep -q milepost.trial && echo works";
        assert_eq!(run_line(answers, "/"), Ok(()));
        assert_eq!(run_line(r#"["echo","works"]"#, "/"), Ok(()));
        for (line, reason) in [
            ("exit 0", "it ended without an answer"),
            ("echo one >&2; echo two >&2", "one"),
            (
                r#"["/no/such/program"]"#,
                "ENOENT: no such file or directory",
            ),
        ] {
            assert_eq!(run_line(line, "/"), Err(reason.to_owned()), "{line}");
        }
        assert_eq!(
            run_line("echo \"$CLAUDE_PROJECT_DIR\" >&2", "/"),
            Err("/".to_owned())
        );
    }

    #[test]
    fn an_event_is_timed_where_it_is_run_several_times() {
        let count = Cell::new(0);
        let run = || {
            count.set(count.get() + 1);
            Ok(())
        };
        assert_eq!(timed(1, run), Ok(None));
        assert!(matches!(timed(10, run), Ok(Some(_))));
        assert_eq!(count.get(), 11);
        assert_eq!(timed(10, || Err("no".to_owned())), Err("no".to_owned()));
    }
}
