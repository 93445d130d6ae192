//! An examination among writers at work: no false alarm, and no harm.

use milepost::doctor::{Finding, Fix};
use milepost::effect::{Effect, Machine, MachineStep, Outcome};

use super::{FILE, assert_nothing_is_wrong, examination, update, world};
use crate::memory::Memory;

/// The end of one of the processes.
enum Ended {
    Examined(Vec<Finding>),
    Replied(String),
}

/// One process; it does not go on before its moment has come.
struct Process {
    machine: Machine<Ended>,
    wakes_ms: f64,
    /// The phase that is being written; the examination writes none.
    phase: Option<String>,
}

/// An effect on files takes this long, so that an examination meets many updates.
const EFFECT_MS: f64 = 2.0;

/// Writers that never rest.
struct Crowd<'a> {
    world: &'a Memory,
    random: fastrand::Rng,
    processes: Vec<Process>,
    updates: usize,
    acknowledged: Vec<String>,
}

impl Crowd<'_> {
    fn examine(&mut self) {
        let machine = examination(Fix::Safe).map(Ended::Examined);
        self.processes.push(Process {
            machine,
            wakes_ms: 0.0,
            phase: None,
        });
    }

    fn write(&mut self) {
        let phase = format!("phase-{}", self.updates);
        self.updates += 1;
        self.processes.push(Process {
            machine: update(None, &phase).map(Ended::Replied),
            wakes_ms: 0.0,
            phase: Some(phase),
        });
    }

    /// Lets one process do one thing; returns what an examination found.
    fn step(&mut self) -> Option<Vec<Finding>> {
        let now = self.world.now_ms.get();
        let awake: Vec<usize> = (0..self.processes.len())
            .filter(|&at| self.processes[at].wakes_ms <= now)
            .collect();
        if awake.is_empty() {
            let wake_times = self.processes.iter().map(|process| process.wakes_ms);
            self.world
                .now_ms
                .set(wake_times.fold(f64::INFINITY, f64::min));
            return None;
        }
        let turn = awake[self.random.usize(..awake.len())];
        let process = &mut self.processes[turn];
        match process.machine.step().unwrap() {
            MachineStep::Effect(Effect::Wait { ms }) => {
                process.wakes_ms = now + f64::from(ms);
                process.machine.resume(Outcome::Done).unwrap();
                None
            }
            MachineStep::Effect(effect) => {
                self.world.now_ms.set(now + EFFECT_MS);
                let outcome = self.world.perform(&effect);
                process.machine.resume(outcome).unwrap();
                None
            }
            MachineStep::Done(Ended::Examined(findings)) => {
                self.processes.swap_remove(turn);
                Some(findings)
            }
            MachineStep::Done(Ended::Replied(reply)) => {
                let ended = self.processes.swap_remove(turn);
                if reply.starts_with(r#"{"ok":true"#) {
                    self.acknowledged.extend(ended.phase);
                } else {
                    assert!(reply.contains("busy"), "{reply}");
                }
                None
            }
        }
    }
}

#[test]
fn writers_at_work_raise_no_alarm_and_lose_nothing() {
    for seed in 0..20 {
        let _run = milepost_property::seed("writers at work raise no alarm and lose nothing", seed);
        let world = world();
        let mut crowd = Crowd {
            world: &world,
            random: fastrand::Rng::with_seed(seed),
            processes: Vec::new(),
            updates: 0,
            acknowledged: Vec::new(),
        };
        crowd.examine();
        let findings = loop {
            while crowd.processes.len() < 5 {
                crowd.write();
            }
            if let Some(findings) = crowd.step() {
                break findings;
            }
        };
        assert_nothing_is_wrong(&findings);
        while !crowd.processes.is_empty() {
            crowd.step();
        }
        let text = world.text(FILE);
        assert!(
            crowd.acknowledged.len() > 10,
            "seed {seed}: no process wrote"
        );
        for phase in &crowd.acknowledged {
            assert!(
                text.contains(&format!("\"{phase}\"")),
                "seed {seed}: {phase} is lost"
            );
        }
    }
}
