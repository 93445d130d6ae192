//! Jobs beside each other: in their order, each as soon as what it needs has ended and no other holds
//! what it takes.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::building::compile::CompileMode;

/// The lane of a job; each has room for some in parallel. The job that begins first stands first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lane {
    /// The build of a tool: one at a time, beside everything else, because others wait for it.
    Tool,
    /// A job that waits for the network.
    Download,
    /// A job that keeps the processor busy.
    Work,
}

/// Something that only one job may have at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lock {
    /// The folder in which cargo compiles for this machine: cargo itself locks it.
    NativeTarget,
    /// Cargo's folder for wasm that is compiled in one way.
    Compiling(CompileMode),
    /// Cargo's folder for the tests of the binding.
    BindingTarget,
    /// Cargo's folder for clippy of the wasm.
    ClippyTarget,
    /// Debian's packages.
    Packages,
}

/// One thing to do.
pub(super) struct Job<'a, T> {
    pub(super) lane: Lane,
    pub(super) locks: &'static [Lock],
    /// The places, in the list, of jobs that have to end first. However they end.
    pub(super) after: Vec<usize>,
    pub(super) run: Box<dyn FnOnce() -> T + Send + 'a>,
}

/// The events of the scheduler, in the order in which they happen.
pub(super) enum Event<T> {
    Started(usize),
    /// With what the job returned, or `None` where it panicked.
    Ended(usize, Option<T>, Duration),
}

/// The time at which a job ran, counted from the start of the run, and the job that it waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timing {
    pub(super) start: Duration,
    pub(super) end: Duration,
    /// The job whose end let it start; none where it started with the run.
    pub(super) released_by: Option<(usize, Wait)>,
}

/// The reason why a job could not start earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// It needs the product of the other one.
    Need,
    /// The other one had something that only one may have.
    Lock,
    /// All places of its lane were taken.
    Lane,
}

/// Runs all jobs to their end, and returns when each of them ran. `capacity` is the number of jobs of a lane that run
/// at the same time.
pub(super) fn run<T: Send>(
    jobs: Vec<Job<'_, T>>,
    capacity: impl Fn(Lane) -> usize,
    mut report: impl FnMut(Event<T>),
) -> Vec<Timing> {
    let began = Instant::now();
    let mut state = State::new(&jobs);
    let mut runs: Vec<_> = Vec::new();
    let mut facts: Vec<_> = Vec::new();
    for job in jobs {
        runs.push(Some(job.run));
        facts.push((job.lane, job.locks, job.after));
    }
    let never = Timing {
        start: Duration::ZERO,
        end: Duration::ZERO,
        released_by: None,
    };
    let mut timings = vec![never; facts.len()];
    let mut latest = None;
    let (ended, ends) = mpsc::channel();
    thread::scope(|scope| {
        while !state.is_over() {
            while let Some(next) = state.next(&facts, &capacity) {
                state.start(next);
                timings[next].start = began.elapsed();
                timings[next].released_by = latest.map(|it| (it, wait(&facts, next, it)));
                report(Event::Started(next));
                let Some(run) = runs[next].take() else {
                    continue;
                };
                let ended = ended.clone();
                scope.spawn(move || {
                    let started = Instant::now();
                    let result = panic::catch_unwind(AssertUnwindSafe(run)).ok();
                    // The receiver outlives every job.
                    let _ = ended.send((next, result, started.elapsed()));
                });
            }
            let Ok((job, result, took)) = ends.recv() else {
                return;
            };
            state.end(job);
            timings[job].end = began.elapsed();
            latest = Some(job);
            report(Event::Ended(job, result, took));
        }
    });
    timings
}

/// The reason why `job` could start once `released_by` had ended, and not before.
fn wait(facts: &[Facts], job: usize, released_by: usize) -> Wait {
    let (_, locks, after) = &facts[job];
    if after.contains(&released_by) {
        return Wait::Need;
    }
    match locks.iter().any(|lock| facts[released_by].1.contains(lock)) {
        true => Wait::Lock,
        false => Wait::Lane,
    }
}

type Facts = (Lane, &'static [Lock], Vec<usize>);

/// The jobs that wait, run and have ended.
struct State {
    waiting: VecDeque<usize>,
    running: Vec<usize>,
    ended: Vec<bool>,
}

impl State {
    fn new<T>(jobs: &[Job<'_, T>]) -> Self {
        Self {
            waiting: (0..jobs.len()).collect(),
            running: Vec::new(),
            ended: vec![false; jobs.len()],
        }
    }

    fn is_over(&self) -> bool {
        self.waiting.is_empty() && self.running.is_empty()
    }

    /// The first that can start now.
    fn next(&self, facts: &[Facts], capacity: impl Fn(Lane) -> usize) -> Option<usize> {
        self.waiting.iter().copied().find(|&job| {
            let (lane, locks, after) = &facts[job];
            let running = || self.running.iter().map(|&other| &facts[other]);
            let fits = running().filter(|other| other.0 == *lane).count() < capacity(*lane);
            let is_free = |lock| !running().any(|other| other.1.contains(lock));
            fits && locks.iter().all(is_free) && after.iter().all(|&other| self.ended[other])
        })
    }

    fn start(&mut self, job: usize) {
        self.waiting.retain(|&other| other != job);
        self.running.push(job);
    }

    fn end(&mut self, job: usize) {
        self.running.retain(|&other| other != job);
        self.ended[job] = true;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Event, Job, Lane, Lock, Wait, run};
    use std::sync::Barrier;

    fn job<'a>(lane: Lane, run: impl FnOnce() -> u32 + Send + 'a) -> Job<'a, u32> {
        Job {
            lane,
            locks: &[],
            after: Vec::new(),
            run: Box::new(run),
        }
    }

    /// `+` and the number of each job that started, `-` and the number of each that ended.
    fn story(jobs: Vec<Job<'_, u32>>, capacity: usize) -> Vec<String> {
        let mut story = Vec::new();
        run(
            jobs,
            |_| capacity,
            |event| {
                story.push(match event {
                    Event::Started(job) => format!("+{job}"),
                    Event::Ended(job, Some(_), _) => format!("-{job}"),
                    Event::Ended(job, None, _) => format!("-{job} panicked"),
                });
            },
        );
        story
    }

    #[test]
    fn two_jobs_that_wait_for_each_other_run_in_parallel() {
        let barrier = Barrier::new(2);
        let wait = || {
            barrier.wait();
            0
        };
        let events = story(vec![job(Lane::Work, wait), job(Lane::Work, wait)], 2);
        assert_eq!(events[..2], ["+0", "+1"]);
    }

    #[test]
    fn a_full_lane_holds_up_its_own_jobs_only() {
        let jobs = vec![
            job(Lane::Work, || 0),
            job(Lane::Work, || 0),
            job(Lane::Tool, || 0),
        ];
        let events = story(jobs, 1);
        assert_eq!(events[..2], ["+0", "+2"]);
    }

    #[test]
    fn jobs_with_the_same_lock_run_one_after_the_other() {
        let mut jobs: Vec<_> = (0..3).map(|_| job(Lane::Work, || 0)).collect();
        for job in &mut jobs {
            job.locks = &[Lock::NativeTarget];
        }
        assert_eq!(story(jobs, 3), ["+0", "-0", "+1", "-1", "+2", "-2"]);
    }

    #[test]
    fn a_job_starts_after_what_it_needs_in_any_order() {
        let mut first = job(Lane::Work, || 0);
        first.after = vec![1];
        let events = story(vec![first, job(Lane::Work, || 0)], 2);
        assert_eq!(events, ["+1", "-1", "+0", "-0"]);
    }

    #[test]
    fn a_timing_names_what_let_the_job_start() {
        let mut jobs: Vec<_> = (0..4).map(|_| job(Lane::Work, || 0)).collect();
        jobs[1].after = vec![0];
        jobs[1].locks = &[Lock::NativeTarget];
        jobs[2].locks = &[Lock::NativeTarget];
        let timings = run(jobs, |_| 1, |_| {});
        let released: Vec<_> = timings.iter().map(|timing| timing.released_by).collect();
        assert_eq!(
            released,
            [
                None,
                Some((0, Wait::Need)),
                Some((1, Wait::Lock)),
                Some((2, Wait::Lane))
            ]
        );
        assert!(timings.iter().all(|timing| timing.start <= timing.end));
    }

    #[test]
    fn a_job_that_panics_ends_and_holds_up_no_other_job() {
        let mut second = job(Lane::Work, || 0);
        second.after = vec![0];
        let events = story(vec![job(Lane::Work, || panic!("on purpose")), second], 2);
        assert_eq!(events, ["+0", "-0 panicked", "+1", "-1"]);
    }
}
