//! How long writers wait for each other, on a machine whose processors they share with others.

use milepost::effect::{Effect, Machine, Outcome, Step, Sync};
use milepost::error::{Code, Error};
use milepost::store::Committed;

use super::adding;
use crate::memory::Memory;

/// All times are in milliseconds.
const PROCESSORS: usize = 2;
const SLICE: f64 = 3.0;
/// What one effect takes of a processor, and what a process does before each update.
const EFFECT: f64 = 0.04;
const BETWEEN: f64 = 0.5;

struct Machinery {
    writers: usize,
    loops: usize,
    updates: usize,
    /// How long a sync takes each writer.
    sync: fn(usize) -> f64,
    /// What an effect takes a writer.
    effect: fn(usize) -> f64,
}

struct Process {
    machine: Option<Machine<Result<Box<Committed>, Error>>>,
    under_way: Option<Effect>,
    /// What it needs of a processor before the effect under way is performed.
    needs: f64,
    wakes: f64,
    left: usize,
    begun: f64,
    waits: Vec<f64>,
    busy: usize,
}

/// How long each writer waited for each of its updates, and how many it gave up.
fn run(machinery: &Machinery, seed: u64) -> Vec<(Vec<f64>, usize)> {
    let world = Memory::new();
    for _ in 0..seed { world.perform(&Effect::Random { length: 1 }); }
    super::add(&world, "first").unwrap();
    let epoch = 1_800_000_000_000.0;
    let mut now = 0.0;
    let mut all: Vec<Process> = (0..machinery.writers)
        .map(|_| Process {
            machine: None,
            under_way: None,
            needs: BETWEEN,
            wakes: 0.0,
            left: machinery.updates,
            begun: 0.0,
            waits: Vec::new(),
            busy: 0,
        })
        .collect();
    // A number below the writers' is a writer, any other a busy loop.
    let mut queue: std::collections::VecDeque<usize> = (0..machinery.writers + machinery.loops).collect();
    let mut asleep: Vec<usize> = Vec::new();
    let mut running: [Option<(usize, f64)>; PROCESSORS] = [None; PROCESSORS];
    while all.iter().any(|it| it.left > 0) {
        now += EFFECT / 2.0;
        asleep.retain(|&at| {
            let wakes = all[at].wakes <= now;
            if wakes { queue.push_back(at); }
            !wakes
        });
        for processor in &mut running {
            if processor.is_none_or(|(_, since)| now - since >= SLICE) {
                if let Some((at, _)) = processor.take() { queue.push_back(at); }
                *processor = queue.pop_front().map(|at| (at, now));
            }
            let Some((at, _)) = *processor else { continue };
            let Some(process) = all.get_mut(at) else { continue };
            process.needs -= EFFECT / 2.0;
            if process.needs > 0.0 { continue; }
            let mut sleeps = None;
            match process.under_way.take() {
                Some(effect) => {
                    world.now_ms.set(epoch + now);
                    sleeps = match &effect {
                        Effect::Wait { ms } => Some(f64::from(*ms)),
                        Effect::SyncFolder { .. } | Effect::Create { sync: Sync::Durable, .. } => Some((machinery.sync)(at)),
                        _ => None,
                    };
                    let outcome = match &effect { Effect::Wait { .. } => Outcome::Done, effect => world.perform(effect) };
                    process.machine.as_mut().unwrap().resume(outcome).unwrap();
                }
                None => {
                    process.begun = now;
                    process.machine = Some(adding(format!("w{at}-{}", process.left)));
                }
            }
            match process.machine.as_mut().unwrap().step().unwrap() {
                Step::Effect(effect) => {
                    process.under_way = Some(effect);
                    process.needs = (machinery.effect)(at);
                }
                Step::Done(done) => {
                    process.waits.push(now - process.begun);
                    if let Err(error) = done {
                        assert_eq!(error.code(), Code::Busy);
                        process.busy += 1;
                    }
                    process.left -= 1;
                    process.needs = BETWEEN;
                    process.machine = None;
                    if process.left == 0 { *processor = None; continue; }
                }
            }
            if let Some(ms) = sleeps {
                process.wakes = now + ms;
                asleep.push(at);
                *processor = None;
            }
        }
    }
    print!("{now:.0} ");
    all.into_iter().map(|it| (it.waits, it.busy)).collect()
}

fn quick(_: usize) -> f64 { 0.2 }

fn show(what: &str, machinery: &Machinery) {
    let mut line = String::new();
    for seed in 0..1 {
        let all = run(machinery, seed);
        let longest = |waits: &Vec<f64>| waits.iter().copied().fold(0.0, f64::max);
        let mut waits: Vec<f64> = all.iter().flat_map(|(w, _)| w.iter().copied()).collect();
        waits.sort_by(f64::total_cmp);
        let slow = &all[0].0;
        line += &format!(" | max {:.0} p99 {:.0} p50 {:.0} busy {} first {:.0}/{:.0}", longest(&waits), waits[waits.len() * 99 / 100], waits[waits.len() / 2], all.iter().map(|(_, b)| b).sum::<usize>(),
            slow.iter().sum::<f64>() / slow.len() as f64, longest(slow));
    }
    println!("{what}{line}");
}

#[test]
fn model() {
    show("2 quiet", &Machinery { writers: 2, loops: 0, updates: 50, sync: quick, effect: |_| EFFECT });
    show("16 quiet", &Machinery { writers: 16, loops: 0, updates: 50, sync: quick, effect: |_| EFFECT });
    show("16 loaded", &Machinery { writers: 16, loops: 4, updates: 50, sync: quick, effect: |_| EFFECT });
    show("burst 32", &Machinery { writers: 32, loops: 0, updates: 1, sync: quick, effect: |_| EFFECT });
    show("slow first, wasm 2nd", &Machinery { writers: 17, loops: 0, updates: 30, sync: |at| if at == 0 { 50.0 } else { 0.2 }, effect: |at| if at == 1 { 0.12 } else { EFFECT } });
}
