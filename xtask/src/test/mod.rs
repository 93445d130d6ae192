//! `cargo xtask test`: the steps of a range beside each other, what failed once more by itself, and one total.

mod attempt;
mod load;
mod pass;
mod range;
mod repeat;
mod report;
mod schedule;
mod since;
mod timeline;
mod unstable;
mod watch;

use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::building::BuildContext;
use crate::process;
use crate::stamp::Inputs;
use crate::steps::{self, Step};
use crate::workspace::Workspace;

use attempt::{Attempt, End, Skipping, Verdict};
use load::Load;
pub(crate) use range::Range;
use repeat::Journal;
use report::{Ran, Report};
pub(crate) use schedule::{Lane, Lock};

/// The choice of steps, and the number of runs.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Everything, with more seeds, in place of what decides a change
    #[arg(long)]
    all: bool,
    /// Only the steps that can be touched by what differs from this revision
    #[arg(long, value_name = "REV")]
    since: Option<String>,
    /// Only this step, by its name; may be given again for others
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
    /// Also the step `Claude Code`
    ///
    /// It runs the `claude` on the PATH, or installs Claude Code from npm, against a model server of
    /// the tests, without an account. Claude Code is no free software: who asks for this step
    /// agrees to the terms of its maker, Anthropic.
    #[arg(long)]
    claude_code: bool,
    /// The whole this often, and a table of how steady each step is
    ///
    /// Stopped, the same command goes on where it was, as long as nothing in the clone has changed.
    #[arg(long, value_name = "N")]
    repeat: Option<NonZeroUsize>,
    /// Beside this many threads that keep the processor busy
    #[arg(long, value_name = "THREADS", default_value_t = 0)]
    load: usize,
    /// List the steps that failed and then passed by themselves on this machine, and run nothing
    #[arg(long, exclusive = true)]
    unstable: bool,
}

/// The steps of a run.
struct Selection {
    steps: Vec<Step>,
    range: Range,
    left_out: usize,
}

impl Options {
    fn range(&self) -> Range {
        match self.all {
            true => Range::All,
            false => Range::Decisive,
        }
    }

    /// Refuses a name that no step has.
    fn expect_known(&self) -> Result<()> {
        let all: Vec<&str> = self.known().iter().map(|step| step.name).collect();
        let Some(unknown) = self.only.iter().find(|name| !all.contains(&name.as_str())) else {
            return Ok(());
        };
        if unknown == steps::ASKED_FOR.name {
            bail!("the step `{unknown}` has to be asked for: --claude-code");
        }
        bail!("there is no step `{unknown}`; there are {}", all.join(", "))
    }

    /// Every step, and the one that has to be asked for if it was.
    fn known(&self) -> Vec<Step> {
        let asked_for = self.claude_code.then_some(steps::ASKED_FOR);
        steps::ALL.iter().copied().chain(asked_for).collect()
    }

    /// The steps that these options let run. One that is named runs in whichever range it is.
    fn chosen(&self) -> Vec<Step> {
        let is_meant = |step: &Step| match self.only.is_empty() {
            true => step.range <= self.range() || step.name == steps::ASKED_FOR.name,
            false => self.only.iter().any(|name| name == step.name),
        };
        self.known().into_iter().filter(is_meant).collect()
    }

    fn select(&self, workspace: &Workspace) -> Result<Selection> {
        self.expect_known()?;
        let mut steps = self.chosen();
        let mut left_out = 0;
        if let Some(revision) = &self.since {
            let paths = since::changed(workspace, revision)?;
            let (touched, untouched) = since::divide(&steps, &paths);
            print!("{}", since::explain(&untouched, revision, &paths));
            left_out = untouched.len();
            steps = touched;
        }
        Ok(Selection {
            steps,
            range: self.range(),
            left_out,
        })
    }
}

/// Runs the steps, all of them also after a failure, and prints what each came to. Returns whether none failed.
///
/// # Errors
///
/// Nothing could be run at all.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<bool> {
    if options.unstable {
        print!("{}", unstable::list()?);
        return Ok(true);
    }
    let _lock = workspace.lock()?;
    let selection = options.select(workspace)?;
    let _load = Load::start(options.load);
    match options.repeat {
        Some(runs) => repeated(workspace, &selection, options, runs.get()),
        None => {
            let report = once(workspace, &selection, Vec::new(), &mut |_| Ok(()));
            Ok(conclude(workspace, report)?.is_well())
        }
    }
}

/// Whole runs, those of them that a journal does not have yet.
fn repeated(
    workspace: &Workspace,
    selection: &Selection,
    options: &Options,
    runs: usize,
) -> Result<bool> {
    let path = workspace.join("target/test/repeat.jsonl");
    let names: Vec<_> = selection.steps.iter().map(|step| step.name).collect();
    let key = format!(
        "{runs} runs of {} ({}) beside {} busy threads at {}",
        names.join(", "),
        selection.range.name(),
        options.load,
        state_of_clone(workspace)?
    );
    let mut journal = Journal::open(&path, &key, runs)?;
    while journal.complete() < runs {
        let begun = journal.begun();
        let number = journal.complete() + 1;
        match begun.len() {
            0 => println!("run {number} of {runs}"),
            done => println!("run {number} of {runs} goes on after {done} steps"),
        }
        let is_whole = begun.is_empty();
        let report = once(workspace, selection, begun, &mut |attempt| {
            journal.add(attempt)
        });
        let report = conclude(workspace, report)?;
        journal.end(is_whole.then_some(report.took))?;
    }
    print!("{}", journal.table());
    let (well, failed) = journal.totals();
    println!("{well} passed, {failed} failed");
    Ok(failed == 0)
}

/// One run: the steps that have not ended yet beside each other, then each that failed by itself. `record` gets
/// each execution when it ends.
fn once(
    workspace: &Workspace,
    selection: &Selection,
    begun: Vec<Ran>,
    record: &mut dyn FnMut(&Attempt) -> Result<()>,
) -> Report {
    let started = Instant::now();
    let skipping = match env::var("CI").is_ok_and(|value| value == "true") {
        true => Skipping::Refused,
        false => Skipping::Allowed,
    };
    let mut ended = |step: Step, result, took| {
        let attempt = Attempt {
            step: step.name.to_owned(),
            end: End::of(result, skipping),
            took,
        };
        if let Err(error) = record(&attempt) {
            process::note(&format!("{error:#}"));
        }
        attempt
    };
    let mut ran = begun;
    let is_to_come = |step: &&Step| ran.iter().all(|ran| ran.step() != step.name);
    let to_come: Vec<Step> = selection.steps.iter().filter(is_to_come).copied().collect();

    let context = BuildContext::new(workspace);
    let times = pass::run(
        &context,
        &to_come,
        selection.range,
        capacity,
        |step, result, took| {
            let first = ended(step, result, took);
            let line = report::line(&first);
            ran.push(Ran {
                first,
                second: None,
            });
            line
        },
    );
    for ran in &mut ran {
        let is_again = ran.first.end.has_failed() && ran.second.is_none();
        let step = selection.steps.iter().find(|step| step.name == ran.step());
        let Some(step) = step.filter(|_| is_again) else {
            continue;
        };
        println!("{}: once more, with no other step beside it", step.name);
        // A tool that could not be made the first time is tried again.
        let context = BuildContext::new(workspace);
        pass::run(
            &context,
            &[*step],
            selection.range,
            |_| 1,
            |step, result, took| {
                let second = ended(step, result, took);
                let line = report::line(&second);
                ran.second = Some(second);
                line
            },
        );
    }

    print!("{}", timeline::table(&times.names, &times.timings));
    Report {
        ran,
        left_out: selection.left_out,
        kept: Vec::new(),
        took: started.elapsed(),
    }
}

/// Keeps the output of each step that was unstable, and prints the summary.
fn conclude(workspace: &Workspace, mut report: Report) -> Result<Report> {
    for ran in &report.ran {
        if ran.verdict() == Verdict::Unstable {
            let kept = unstable::keep(workspace, &revision(workspace), ran)?;
            report.kept.push(kept);
        }
    }
    println!("{}", report.summary());
    Ok(report)
}

/// Two cores are kept busy by two steps. More steps in parallel would be too many of those that start
/// sixteen processes.
fn capacity(lane: Lane) -> usize {
    match lane {
        Lane::Work => thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4)),
        Lane::Tool => 1,
        Lane::Download => 2,
    }
}

fn git(workspace: &Workspace, arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    git.current_dir(workspace.root()).args(arguments);
    process::stdout_of(git.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE"))
}

/// The commit, for people.
fn revision(workspace: &Workspace) -> String {
    let short = git(workspace, &["rev-parse", "--short", "HEAD"]);
    short.unwrap_or_else(|| "no commit".to_owned())
}

/// The commit, what differs from it, and each file that git does not know. Without git, no two states are the same.
fn state_of_clone(workspace: &Workspace) -> Result<String> {
    let asked = |arguments: &[&str]| {
        git(workspace, arguments)
            .context("--repeat needs git, to see whether the clone has changed")
    };
    let changes = asked(&["diff", "HEAD", "--binary"])?;
    let mut inputs = Inputs::default().text(&changes);
    for path in asked(&["ls-files", "--others", "--exclude-standard"])?.lines() {
        inputs = inputs.text(path);
        // One that vanished in between has no content.
        inputs = inputs.bytes(&fs::read(workspace.join(path)).unwrap_or_default());
    }
    let hash = inputs.hash();
    Ok(format!("{} with {}", revision(workspace), &hash[..16]))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use anyhow::{Result, bail};

    use super::{Attempt, Options, Range, Selection, Verdict, once};
    use crate::building::BuildContext;
    use crate::steps::{ALL, ASKED_FOR, Outcome, Step};
    use crate::workspace::Workspace;

    fn options(all: bool, claude_code: bool, only: &[&str]) -> Options {
        Options {
            all,
            since: None,
            only: only.iter().map(|name| (*name).to_owned()).collect(),
            claude_code,
            repeat: None,
            load: 0,
            unstable: false,
        }
    }

    #[test]
    fn the_decisive_range_is_a_part_of_everything() {
        let (decisive, all) = (options(false, false, &[]), options(true, false, &[]));
        assert_eq!(all.chosen().len(), ALL.len());
        let names: Vec<_> = decisive.chosen().iter().map(|step| step.name).collect();
        assert!(names.contains(&"cargo test"));
        assert!(!names.contains(&"package on Windows"));
    }

    #[test]
    fn a_step_that_is_named_runs_in_any_range() {
        let named = options(false, false, &["package on Windows"]).chosen();
        assert_eq!(named.len(), 1);
        assert_eq!(named[0].range, Range::All);
    }

    #[test]
    fn a_step_that_has_to_be_asked_for_runs_only_then() {
        for all in [false, true] {
            let runs = |claude_code| {
                let chosen = options(all, claude_code, &[]).chosen();
                chosen.iter().any(|step| step.name == ASKED_FOR.name)
            };
            assert!(!runs(false), "--all: {all}");
            assert!(runs(true), "--all: {all}");
        }
    }

    #[test]
    fn an_unknown_step_is_refused_with_the_names_of_all_steps() {
        let refusal = |options: Options| {
            let refusal = options.expect_known();
            refusal.expect_err("there is no such step").to_string()
        };
        let of_flag = refusal(options(false, false, &[ASKED_FOR.name]));
        assert!(of_flag.contains("--claude-code"), "{of_flag}");
        let of_names = refusal(options(false, true, &["no such step"]));
        assert!(of_names.contains(ASKED_FOR.name), "{of_names}");
    }

    fn passes() -> Result<Outcome> {
        Ok(Outcome::Passed(String::new()))
    }

    /// Fails the first time that it runs.
    fn fails_once(_: &BuildContext, _: Range) -> Result<Outcome> {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        match RUNS.fetch_add(1, Ordering::Relaxed) {
            0 => bail!("busy"),
            _ => passes(),
        }
    }

    /// Finds a proof the first time that it runs.
    fn proves_once(_: &BuildContext, _: Range) -> Result<Outcome> {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        match RUNS.fetch_add(1, Ordering::Relaxed) {
            0 => bail!("exit 1\nviolated: revision 7 is gone"),
            _ => passes(),
        }
    }

    #[test]
    fn each_failed_step_runs_once_more_and_no_other_one() -> Result<()> {
        let steps = vec![
            Step::new("steady", |_, _| passes()),
            Step::new("fails once", fails_once),
            Step::new("proves once", proves_once),
            Step::new("always fails", |_, _| bail!("no")),
        ];
        let selection = Selection {
            steps,
            range: Range::Decisive,
            left_out: 0,
        };
        let mut recorded = Vec::new();
        let report = once(
            &Workspace::find()?,
            &selection,
            Vec::new(),
            &mut |attempt: &Attempt| {
                recorded.push(attempt.step.clone());
                Ok(())
            },
        );
        let verdict = |step: &str| {
            let ran = report.ran.iter().find(|ran| ran.step() == step);
            ran.map(|ran| (ran.verdict(), ran.second.is_some()))
        };
        assert_eq!(verdict("steady"), Some((Verdict::Passed, false)));
        assert_eq!(verdict("fails once"), Some((Verdict::Unstable, true)));
        assert_eq!(verdict("proves once"), Some((Verdict::Violated, true)));
        assert_eq!(verdict("always fails"), Some((Verdict::Failed, true)));
        assert_eq!(recorded.len(), 7);
        assert!(!report.is_well());
        Ok(())
    }
}
