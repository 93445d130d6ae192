//! Threads after a loss of power.

use milepost::effect::{Effect, Machine, MachineStep, Sync};
use milepost::operation::request;
use milepost_disk::{Disk, PowerLoss};

use super::{
    SETTINGS, Setting, all, ask, checkpoint, expect_usable, line, parsed, put, text, value, writes,
};
use crate::memory::Memory;

/// So many of the disks that a loss at one moment may leave are looked at.
const LOSSES: usize = 3;

fn changes(setting: Setting) -> Vec<String> {
    vec![
        put(setting, vec![checkpoint(setting, "a", None)]),
        put(setting, vec![writes("a", "t")]),
        put(setting, vec![checkpoint(setting, "b", Some("a"))]),
        put(
            setting,
            vec![writes("b", "t"), checkpoint(setting, "c", Some("b"))],
        ),
    ]
}

/// Makes changes one after the other, with a loss of power after every effect: what was acknowledged before is
/// there, and all of the change that is in flight or nothing. After the last effect it is all of it.
fn lose_power(
    setting: Setting,
    power_loss: PowerLoss,
    performed: impl Fn(Effect) -> Effect,
) -> Result<(), String> {
    let world = Memory::new();
    world.disk.borrow_mut().settle();
    let mut random = fastrand::Rng::with_seed(11);
    for (number, change) in changes(setting).into_iter().enumerate() {
        let before = all(&world, setting);
        let mut losses = Vec::new();
        let mut machine: Machine<String> = request::start(change.as_bytes());
        let reply = loop {
            match machine.step().unwrap() {
                MachineStep::Effect(effect) => {
                    let outcome = world.perform(&performed(effect));
                    machine.resume(outcome).unwrap();
                    losses.extend(lost(&world, power_loss, &mut random));
                }
                MachineStep::Done(reply) => break reply,
            }
        };
        value(&parsed(&reply));
        let after = all(&world, setting);
        for loss in &losses {
            let found = found(loss, setting);
            if found != before && found != after {
                return Err(format!("{setting:?} {number}: {found:?}"));
            }
        }
        for loss in lost(&world, power_loss, &mut random) {
            let found = found(&loss, setting);
            if found != after {
                return Err(format!("{setting:?} {number} was acknowledged: {found:?}"));
            }
            expect_usable(&loss, setting, &format!("{setting:?} {number}"));
        }
    }
    Ok(())
}

/// All that can be read, or why nothing can.
fn found(world: &Memory, setting: Setting) -> String {
    let reply = ask(world, &line(setting, "list_thread", &[]));
    match reply.get("error") {
        Some(error) => text(error, "/code"),
        None => all(world, setting),
    }
}

fn lost(world: &Memory, power_loss: PowerLoss, random: &mut fastrand::Rng) -> Vec<Memory> {
    let disk = world.disk.borrow();
    let mut one = || {
        let nodes = disk.journal().unwrap().loss(power_loss, random);
        world.with_disk(Disk::after(nodes, &disk))
    };
    (0..LOSSES).map(|_| one()).collect()
}

#[test]
fn a_loss_of_power_keeps_each_checkpoint_that_was_acknowledged() {
    let _run =
        milepost_property::run("a loss of power keeps each checkpoint that was acknowledged");
    for setting in SETTINGS.into_iter().filter(|it| it.storage == "files") {
        for power_loss in [PowerLoss::InOrder, PowerLoss::Any] {
            lose_power(setting, power_loss, |effect| effect).unwrap();
        }
    }
}

#[test]
fn the_simulation_notices_a_line_that_is_not_made_durable() {
    let _run = milepost_property::run("the simulation notices a line that is not made durable");
    let lazily = |effect| match effect {
        Effect::Append { path, bytes, .. } => Effect::Append {
            path,
            bytes,
            sync: Sync::Lazy,
        },
        effect => effect,
    };
    let [_, small, ..] = SETTINGS;
    lose_power(small, PowerLoss::Any, lazily).unwrap_err();
}

/// Writes that did not wait for the disk may be gone, in any order. The rest is a thread that goes on, now or after it
/// is recovered.
#[test]
fn a_thread_that_did_not_wait_for_the_disk_goes_on_after_a_loss_of_power() {
    let _run = milepost_property::run(
        "a thread that did not wait for the disk goes on after a loss of power",
    );
    let files = r#""storage":"files""#;
    let lazy = format!(r#"{files},"durability":"lazy""#);
    let mut random = fastrand::Rng::with_seed(12);
    for setting in SETTINGS.into_iter().filter(|it| it.storage == "files") {
        for power_loss in [PowerLoss::InOrder, PowerLoss::Any] {
            let world = Memory::new();
            world.disk.borrow_mut().settle();
            for change in changes(setting) {
                let change = change.replace(files, &lazy);
                let mut machine: Machine<String> = request::start(change.as_bytes());
                let mut losses = Vec::new();
                while let MachineStep::Effect(effect) = machine.step().unwrap() {
                    machine.resume(world.perform(&effect)).unwrap();
                    losses.extend(lost(&world, power_loss, &mut random));
                }
                losses.extend(lost(&world, power_loss, &mut random));
                for loss in &losses {
                    if found(loss, setting) == "corrupt" {
                        let recover = line(setting, "recover_thread", &[]);
                        value(&ask(loss, &recover));
                    }
                    let before = all(loss, setting);
                    let next = put(setting, vec![checkpoint(setting, "z", None)]);
                    value(&ask(loss, &next));
                    let after = all(loss, setting);
                    assert_eq!(after.lines().count(), before.lines().count() + 1);
                }
            }
        }
    }
}
