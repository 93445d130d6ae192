//! Everything that CI runs: the steps that a change can touch, beside each other, with one total.

mod report;
mod schedule;
mod since;
mod watch;

use std::env;
use std::thread;
use std::time::Instant;

use anyhow::{Error, Result, anyhow, bail};
use clap::Args;

use crate::building::Ground;
use crate::process::{self, WORTH_A_LINE};
use crate::steps::{self, Need, Outcome, Step};
use crate::workspace::Workspace;

use report::{Skipping, Total};
use schedule::{Event, Job};
pub(crate) use schedule::{Lane, Lock};
use watch::Watch;

/// Which of the steps.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Only the steps that can be touched by what differs from this revision
    #[arg(long, value_name = "REV")]
    since: Option<String>,
    /// Only this step, by its name; may be given again for others
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
    /// Also the step `Claude Code`
    ///
    /// It runs the `claude` on the PATH, or installs Claude Code from npm, against a model server of
    /// the tests, without an account. Claude Code is no free software: whoever asks for this step
    /// agrees to the terms of its maker, Anthropic.
    #[arg(long)]
    claude_code: bool,
}

impl Options {
    /// Refuses a name that no step has.
    fn expect_known(&self, steps: &[Step]) -> Result<()> {
        let is_unknown = |name: &&String| steps.iter().all(|step| step.name != **name);
        let Some(unknown) = self.only.iter().find(is_unknown) else {
            return Ok(());
        };
        if unknown == steps::ASKED_FOR.name {
            bail!("the step `{unknown}` has to be asked for: --claude-code");
        }
        let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
        bail!(
            "there is no step `{unknown}`; there are {}",
            names.join(", ")
        )
    }

    /// All steps that these options let run.
    fn steps(&self) -> Vec<Step> {
        let asked_for = self.claude_code.then_some(steps::ASKED_FOR);
        steps::ALL.iter().copied().chain(asked_for).collect()
    }

    fn is_meant(&self, step: &Step) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == step.name)
    }
}

/// Runs the steps, all of them also after a failure, and prints what came of each. Returns whether
/// all is well.
///
/// # Errors
///
/// Nothing could be run at all.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<bool> {
    let started = Instant::now();
    let mut chosen = options.steps();
    options.expect_known(&chosen)?;
    let mut total = Total::default();
    if let Some(revision) = &options.since {
        let paths = since::changed(workspace, revision)?;
        let (touched, left_out) = since::divide(&chosen, &paths);
        print!("{}", since::explain(&left_out, revision, &paths));
        total = Total::new(left_out.len());
        chosen = touched;
    }
    chosen.retain(|step| options.is_meant(step));
    let skipping = match env::var("CI").is_ok_and(|value| value == "true") {
        true => Skipping::Refused,
        false => Skipping::Allowed,
    };

    let ground = Ground::new(workspace);
    let todo = todo(&chosen);
    let watch = Watch::start();
    schedule::run(jobs(&todo, &ground), room, |event| match event {
        Event::Started(number) => watch.begin(todo[number].name()),
        Event::Ended(number, ended, took) => {
            let name = todo[number].name();
            watch.end(name);
            let panicked = || (String::new(), Err(anyhow!("it panicked")));
            let (notes, outcome) = ended.unwrap_or_else(panicked);
            let shown = match (todo[number], outcome) {
                (Todo::Step(_), outcome) => Some(total.add(name, outcome, took, skipping)),
                (Todo::Need(_), Ok(_)) if took < WORTH_A_LINE => None,
                (Todo::Need(_), Ok(_)) => {
                    Some(format!("{name}: there ({:.1} s)", took.as_secs_f64()))
                }
                // The steps that needed it fail too, and are counted.
                (Todo::Need(_), Err(error)) => Some(format!("{name}: FAILED\n{error:#}\n")),
            };
            watch.print(&notes, shown.as_deref());
        }
    });
    drop(watch);
    let seconds = started.elapsed().as_secs();
    println!("in {} min {} s", seconds / 60, seconds % 60);
    println!("{}", total.report());
    Ok(total.is_well())
}

/// What there is to do.
#[derive(Clone, Copy)]
enum Todo {
    Need(Need),
    Step(Step),
}

impl Todo {
    fn name(&self) -> &'static str {
        match self {
            Self::Need(need) => need.name(),
            Self::Step(step) => step.name,
        }
    }

    fn needs(&self) -> &'static [Need] {
        match self {
            Self::Need(need) => need.needs(),
            Self::Step(step) => step.needs,
        }
    }
}

/// Two cores are kept busy by two steps. More steps at once would be too many of those that start
/// sixteen processes.
fn room(lane: Lane) -> usize {
    match lane {
        Lane::Work => thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4)),
        Lane::Tool => 1,
        Lane::Download => 2,
    }
}

/// Everything that these steps need, the tools first, each other thing before the first step that
/// needs it.
fn todo(steps: &[Step]) -> Vec<Todo> {
    let mut todo = Vec::new();
    for step in steps {
        collect(step.needs, &mut todo);
        todo.push(Todo::Step(*step));
    }
    todo.sort_by_key(|it| match it {
        Todo::Need(need) => need.lane(),
        Todo::Step(_) => Lane::Work,
    });
    todo
}

fn collect(needs: &[Need], todo: &mut Vec<Todo>) {
    for need in needs {
        if place(todo, *need).is_none() {
            collect(need.needs(), todo);
            todo.push(Todo::Need(*need));
        }
    }
}

fn place(todo: &[Todo], wanted: Need) -> Option<usize> {
    todo.iter()
        .position(|it| matches!(it, Todo::Need(need) if *need == wanted))
}

/// What a job returns: what it noted, and what came of it. A need that is there has passed.
type Ended = (String, Result<Outcome, Error>);

fn jobs<'a>(todo: &[Todo], ground: &'a Ground<'a>) -> Vec<Job<'a, Ended>> {
    let job = |it: &Todo| {
        let after = it.needs().iter().filter_map(|need| place(todo, *need));
        let it = *it;
        let (lane, locks) = match it {
            Todo::Need(need) => (need.lane(), need.locks()),
            Todo::Step(step) => (Lane::Work, step.locks),
        };
        Job {
            lane,
            locks,
            after: after.collect(),
            run: Box::new(move || {
                process::collecting_notes(|| match it {
                    Todo::Need(need) => need
                        .prepare(ground)
                        .map(|()| Outcome::Passed(String::new())),
                    Todo::Step(step) => (step.run)(ground),
                })
            }),
        }
    };
    todo.iter().map(job).collect()
}

#[cfg(test)]
mod tests {
    use super::{Options, Todo, todo};
    use crate::steps::{ALL, ASKED_FOR, Need};

    fn asked(claude_code: bool, only: &[&str]) -> Options {
        Options {
            since: None,
            only: only.iter().map(|name| (*name).to_owned()).collect(),
            claude_code,
        }
    }

    #[test]
    fn a_step_that_has_to_be_asked_for_runs_only_then() {
        let (usual, more) = (asked(false, &[]).steps(), asked(true, &[]).steps());
        assert_eq!(usual.len(), ALL.len());
        assert!(usual.iter().all(|step| step.name != ASKED_FOR.name));
        assert!(more.iter().any(|step| step.name == ASKED_FOR.name));
    }

    #[test]
    fn one_that_was_not_asked_for_is_not_called_unknown() {
        let told = |options: Options| {
            let told = options.expect_known(&options.steps());
            told.expect_err("it does not run").to_string()
        };
        let told_of_flag = told(asked(false, &[ASKED_FOR.name]));
        assert!(told_of_flag.contains("--claude-code"), "{told_of_flag}");
        let told_of_names = told(asked(true, &["no such step"]));
        assert!(told_of_names.contains(ASKED_FOR.name), "{told_of_names}");
    }

    fn names(steps: &[&str]) -> Vec<&'static str> {
        let steps: Vec<_> = ALL
            .iter()
            .filter(|step| steps.contains(&step.name))
            .copied()
            .collect();
        todo(&steps).iter().map(Todo::name).collect()
    }

    #[test]
    fn the_longest_build_of_a_tool_begins_first() {
        assert!(matches!(todo(ALL)[0], Todo::Need(Need::Wasmtime)));
    }

    #[test]
    fn a_step_that_needs_nothing_brings_nothing_with_it() {
        assert_eq!(names(&["format"]), ["format"]);
    }

    #[test]
    fn what_is_needed_is_made_once_and_before_who_needs_it() {
        assert_eq!(
            names(&["publint", "attw"]),
            [
                "npm tools of the build",
                "Rust for wasm",
                "hot wasm",
                "hook wasm",
                "library wasm",
                "sessions wasm",
                "tasks wasm",
                "async wasm",
                "cli wasm",
                "viewer wasm",
                "viewer-all wasm",
                "exact-tokens wasm",
                "vocabularies",
                "npm package",
                "publint",
                "attw"
            ]
        );
    }
}
