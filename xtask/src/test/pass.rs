//! One pass over some steps: what they need first, then as many beside each other as there is room for.

use std::time::Duration;

use anyhow::{Error, Result, anyhow};

use crate::building::BuildContext;
use crate::process::{self, WORTH_A_LINE};
use crate::steps::{Need, Outcome, Step};

use super::Range;
use super::schedule::{self, Event, Job, Lane, Timing};
use super::watch::Watch;

/// A build or a step.
#[derive(Clone, Copy)]
enum Part {
    Need(Need),
    Step(Step),
}

impl Part {
    fn name(&self) -> &'static str {
        match self {
            Self::Need(need) => need.name(),
            Self::Step(step) => step.name,
        }
    }

    fn needs(&self, range: Range) -> Vec<Need> {
        match self {
            Self::Need(need) => need.needs().to_vec(),
            Self::Step(step) => step.needed(range),
        }
    }
}

/// The time at which each part of a pass ran.
pub(super) struct Times {
    pub(super) names: Vec<&'static str>,
    pub(super) timings: Vec<Timing>,
}

/// Runs the steps. `finish` gets each with its result, and returns what is printed of it.
pub(super) fn run(
    context: &BuildContext,
    steps: &[Step],
    range: Range,
    capacity: impl Fn(Lane) -> usize,
    mut finish: impl FnMut(Step, Result<Outcome, Error>, Duration) -> String,
) -> Times {
    let parts = parts(steps, range);
    let watch = Watch::start();
    let timings = schedule::run(
        jobs(&parts, context, range),
        capacity,
        |event| match event {
            Event::Started(number) => watch.begin(parts[number].name()),
            Event::Ended(number, ended, took) => {
                let name = parts[number].name();
                watch.end(name);
                let panicked = || (String::new(), Err(anyhow!("it panicked")));
                let (notes, outcome) = ended.unwrap_or_else(panicked);
                let shown = match (parts[number], outcome) {
                    (Part::Step(step), outcome) => Some(finish(step, outcome, took)),
                    (Part::Need(_), Ok(_)) if took < WORTH_A_LINE => None,
                    (Part::Need(_), Ok(_)) => {
                        Some(format!("{name}: there ({:.1} s)", took.as_secs_f64()))
                    }
                    // The steps that needed it fail too, and are counted.
                    (Part::Need(_), Err(error)) => Some(format!("{name}: FAILED\n{error:#}\n")),
                };
                watch.print(&notes, shown.as_deref());
            }
        },
    );
    Times {
        names: parts.iter().map(Part::name).collect(),
        timings,
    }
}

/// Everything that these steps need, the tools first, each other thing before the first step that
/// needs it.
fn parts(steps: &[Step], range: Range) -> Vec<Part> {
    let mut parts = Vec::new();
    for step in steps {
        collect(&step.needed(range), &mut parts);
        parts.push(Part::Step(*step));
    }
    parts.sort_by_key(|part| match part {
        Part::Need(need) => need.lane(),
        Part::Step(_) => Lane::Work,
    });
    parts
}

fn collect(needs: &[Need], parts: &mut Vec<Part>) {
    for need in needs {
        if position(parts, *need).is_none() {
            collect(need.needs(), parts);
            parts.push(Part::Need(*need));
        }
    }
}

fn position(parts: &[Part], wanted: Need) -> Option<usize> {
    parts
        .iter()
        .position(|part| matches!(part, Part::Need(need) if *need == wanted))
}

/// The notes of a job, and its outcome. A need that is there has passed.
type Ended = (String, Result<Outcome, Error>);

fn jobs<'a>(parts: &[Part], context: &'a BuildContext<'a>, range: Range) -> Vec<Job<'a, Ended>> {
    let job = |part: &Part| {
        let after = part
            .needs(range)
            .into_iter()
            .filter_map(|need| position(parts, need));
        let part = *part;
        let (lane, locks) = match part {
            Part::Need(need) => (need.lane(), need.locks()),
            Part::Step(step) => (Lane::Work, step.locks),
        };
        Job {
            lane,
            locks,
            after: after.collect(),
            run: Box::new(move || {
                process::collecting_notes(|| match part {
                    Part::Need(need) => need
                        .prepare(context)
                        .map(|()| Outcome::Passed(String::new())),
                    Part::Step(step) => (step.run)(context, range.max(step.range)),
                })
            }),
        }
    };
    parts.iter().map(job).collect()
}

#[cfg(test)]
mod tests {
    use super::{Part, Range, parts};
    use crate::steps::{ALL, Need};

    fn names(steps: &[&str]) -> Vec<&'static str> {
        let steps: Vec<_> = ALL
            .iter()
            .filter(|step| steps.contains(&step.name))
            .copied()
            .collect();
        parts(&steps, Range::Decisive)
            .iter()
            .map(Part::name)
            .collect()
    }

    #[test]
    fn the_longest_build_of_a_tool_begins_first() {
        assert!(matches!(
            parts(ALL, Range::All)[0],
            Part::Need(Need::Wasmtime)
        ));
    }

    #[test]
    fn a_step_that_needs_nothing_brings_nothing_with_it() {
        assert_eq!(names(&["format"]), ["format"]);
    }

    #[test]
    fn a_needed_thing_is_made_once_and_before_the_steps_that_need_it() {
        let names = names(&["publint", "attw"]);
        let place = |name: &str| names.iter().position(|it| *it == name);
        let package = place("npm package");
        assert!(package.is_some() && place("library wasm") < package);
        assert!(package < place("publint") && package < place("attw"));
        let mut once = names.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), names.len(), "{names:?}");
    }
}
