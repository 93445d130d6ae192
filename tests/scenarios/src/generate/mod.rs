//! Scenarios without number, from a seed: the same seed gives the same scenarios.
//!
//! A step may need what an earlier one led to, such as the seal of a stored document. So each step
//! is taken on the native core as soon as it is made, and the next one looks at the world.

mod document;
mod handoff;
mod repository;
mod request;
mod text;

use fastrand::Rng;
use milepost::effect::Fault;

use crate::run::{Native, Run};
use crate::scenario::{Injected, Scenario, Setting, Step};
use crate::world::World;

/// The root of every generated world.
const ROOT: &str = "/repo";

/// The scenario of this number.
pub fn scenario(seed: u64, number: u64) -> Scenario {
    // Far apart, so that neighbours have nothing in common.
    let mut random = Rng::with_seed(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let (kind, world, steps) = match random.u8(..20) {
        0..=2 => ("texts", Setting::read_default(), texts(&mut random)),
        3..=5 => ("rules", Setting::read_default(), rules(&mut random)),
        _ => {
            let (world, steps) = operations(&mut random);
            ("operations", world, steps)
        }
    };
    Scenario {
        name: format!("{kind}, seed {seed}, number {number}"),
        world,
        steps,
    }
}

fn texts(random: &mut Rng) -> Vec<Step> {
    let one = |random: &mut Rng| {
        let text = text::any(random);
        let limit = match random.u8(..4) {
            0 => 0,
            1 => 500,
            _ => random.u64(..40),
        };
        match random.u8(..3) {
            0 => Step::Count(text),
            1 => Step::ValidateSummary(text, limit),
            _ => Step::Truncate(text, limit),
        }
    };
    (0..random.usize(1..8)).map(|_| one(random)).collect()
}

fn rules(random: &mut Rng) -> Vec<Step> {
    let requests = (0..random.usize(1..4)).map(|_| request::of_rules(random));
    requests.map(Step::Request).collect()
}

fn operations(random: &mut Rng) -> (Setting, Vec<Step>) {
    let mut world = Setting {
        now_ms: random.u64(1_600_000_000_000..2_000_000_000_000),
        step_ms: random.u64(..20),
        seed: random.u32(1..),
        folders: vec![ROOT.to_owned()],
        ..Setting::default()
    };
    repository::add(random, &mut world);
    if random.u8(..8) == 0 {
        world.storage = Some("records".to_owned());
    }
    let target = request::Target::any(random);
    if random.u8(..4) == 0 {
        let planted = document::planted(random, &target);
        world.files.push((target.file(), planted));
    }
    if random.u8(..30) == 0 {
        world.files.retain(|(path, _)| *path != target.file());
        world.symlinks.push(target.file());
    }
    while random.u8(..5) == 0 {
        world.faults.push(fault(random));
    }
    let mut run = Run::new(Native, World::new(world.clone()));
    let mut steps = Vec::new();
    for _ in 0..random.usize(2..9) {
        let step = step(random, &run.world, &target);
        run.take(&step);
        steps.push(step);
    }
    (world, steps)
}

fn fault(random: &mut Rng) -> Injected {
    let faults = [
        Fault::Other,
        Fault::Other,
        Fault::NotFound,
        Fault::Sharing,
        Fault::Unsupported,
        Fault::Exists,
    ];
    Injected {
        at: random.u64(..150),
        fault: faults[random.usize(..faults.len())],
        for_good: random.u8(..8) == 0,
        done: random.u8(..3) == 0,
    }
}

fn step(random: &mut Rng, world: &World, target: &request::Target) -> Step {
    let by_others = match random.u8(..20) {
        0 => Some(Step::Pass(random.i64(-40_000_000_000..40_000_000_000))),
        1 => Some(Step::Pass(random.i64(0..20_000))),
        2 => world.file(&target.file()).map(|stored| {
            let kept = random.u8(..4) > 0;
            let edited = kept.then(|| document::edited(random, &stored));
            Step::Put(target.file(), edited)
        }),
        3 => repository::moved(random, world),
        _ => None,
    };
    by_others.unwrap_or_else(|| Step::Request(request::on_checkpoint(random, world, target)))
}

impl Setting {
    /// A world without anything in it.
    fn read_default() -> Self {
        Setting {
            now_ms: 1_800_000_000_000,
            step_ms: 1,
            seed: 1,
            ..Setting::default()
        }
    }
}
