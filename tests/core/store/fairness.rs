//! Waits of writers for each other, on a machine whose processors they share with others.

use std::collections::VecDeque;

use milepost::effect::{Effect, Machine, MachineStep, Outcome, Sync};
use milepost::error::Error;
use milepost::store::Committed;

use super::{add, adding};
use crate::memory::Memory;

const WRITERS: usize = 16;
const UPDATES: usize = 25;
const BUSY_LOOPS: usize = 4;
const PROCESSORS: usize = 2;

/// Times are in milliseconds: what a process gets of a processor in one turn.
const SLICE: f64 = 3.0;
/// The time that an effect takes of a processor, and the work before each update.
const EFFECT: f64 = 0.04;
const BETWEEN: f64 = 0.5;
/// The time that a sync takes beside that.
const SYNC: f64 = 0.2;
const TICK: f64 = EFFECT / 2.0;

#[derive(Default)]
struct Writer {
    machine: Option<Machine<Result<Box<Committed>, Error>>>,
    asked: Option<Effect>,
    /// The time on a processor that it needs before its request is performed.
    needs: f64,
    wakes: f64,
    begun: f64,
    waits: Vec<f64>,
}

impl Writer {
    /// Performs what was asked for, and asks for the next; how long it sleeps after that.
    fn go_on(&mut self, number: usize, world: &Memory, now: f64) -> Option<f64> {
        let machine = match &mut self.machine {
            Some(machine) => machine,
            nothing => {
                self.begun = now;
                nothing.insert(adding(format!("w{number}-{}", self.waits.len())))
            }
        };
        let mut sleeps = None;
        if let Some(effect) = self.asked.take() {
            sleeps = match &effect {
                Effect::Wait { ms } => Some(f64::from(*ms)),
                Effect::SyncFolder { .. } => Some(SYNC),
                Effect::Create { sync, .. } => Some(SYNC).filter(|_| *sync == Sync::Durable),
                _ => None,
            };
            let outcome = match &effect {
                Effect::Wait { .. } => Outcome::Done,
                effect => world.perform(effect),
            };
            machine.resume(outcome).unwrap();
        }
        match machine.step().unwrap() {
            MachineStep::Effect(effect) => {
                self.asked = Some(effect);
                self.needs = EFFECT;
            }
            MachineStep::Done(done) => {
                done.unwrap();
                self.waits.push(now - self.begun);
                self.machine = None;
                self.needs = BETWEEN;
            }
        }
        sleeps
    }
}

/// The time of each update, where every process gets a processor in turn.
fn waits() -> Vec<f64> {
    let world = Memory::new();
    add(&world, "first").unwrap();
    let epoch = world.now_ms.get();
    let mut writers: Vec<Writer> = (0..WRITERS).map(|_| Writer::default()).collect();
    // Numbers above those of the writers are busy loops.
    let mut ready: VecDeque<usize> = (0..WRITERS + BUSY_LOOPS).collect();
    let mut asleep: Vec<usize> = Vec::new();
    let mut processors: [Option<(usize, f64)>; PROCESSORS] = [None; PROCESSORS];
    let mut now = 0.0;
    while writers.iter().any(|writer| writer.waits.len() < UPDATES) {
        now += TICK;
        asleep.retain(|&number| {
            let wakes = writers[number].wakes <= now;
            ready.extend(wakes.then_some(number));
            !wakes
        });
        for processor in &mut processors {
            if processor.is_none_or(|(_, since)| now - since >= SLICE) {
                ready.extend(processor.map(|(number, _)| number));
                *processor = ready.pop_front().map(|number| (number, now));
            }
            let Some((number, _)) = *processor else {
                continue;
            };
            let Some(writer) = writers.get_mut(number) else {
                continue;
            };
            writer.needs -= TICK;
            if writer.needs > 0.0 {
                continue;
            }
            world.now_ms.set(epoch + now);
            let sleeps = writer.go_on(number, &world, now);
            if let Some(ms) = sleeps {
                writer.wakes = now + ms;
                asleep.push(number);
            }
            if sleeps.is_some() || writer.waits.len() == UPDATES {
                *processor = None;
            }
        }
    }
    writers
        .into_iter()
        .flat_map(|writer| writer.waits)
        .collect()
}

#[test]
fn a_writer_among_sixteen_on_a_busy_machine_waits_at_most_three_times_the_mean() {
    let waits = waits();
    let longest = waits.iter().copied().fold(0.0, f64::max);
    let mean = waits.iter().sum::<f64>() / waits.len() as f64;
    assert!(longest < 3.0 * mean, "{longest} ms, {mean} ms in the mean");
}
