//! The lock and the tokens when writers are late, die, or meet a broken disk.

use milepost::effect::{Effect, Fault, Outcome};
use milepost::error::Code;

use crate::damage::{commits, finish, until};
use crate::memory::Memory;
use crate::store::{DOCUMENT, SIDE, add, adding, left_over, object};

fn failed(detail: &str) -> Outcome {
    Outcome::Failed {
        fault: Fault::Other,
        detail: detail.into(),
    }
}

#[test]
fn two_writers_that_take_over_one_lock_leave_the_later_one_its_own() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    let lock = format!("{SIDE}/lock");
    world.put(&lock, "dead 2000\n");
    let takes = |e: &Effect| matches!(e, Effect::Rename { from, .. } if from.ends_with("/lock"));
    let makes = |e: &Effect| matches!(e, Effect::Create { path, .. } if path.contains("/tokens/"));
    let (mut one, mut two) = (adding("one".into()), adding("two".into()));
    let first = until(&world, &mut one, takes);
    let second = until(&world, &mut two, takes);
    one.resume(world.perform(&first)).unwrap();
    let token = until(&world, &mut one, makes);
    let lock_bytes = world.bytes(&lock);
    two.resume(world.perform(&second)).unwrap();
    until(&world, &mut two, |e| matches!(e, Effect::Wait { .. }));
    assert_eq!(world.bytes(&lock), lock_bytes);
    one.resume(world.perform(&token)).unwrap();
    finish(&world, one).unwrap();
    two.resume(Outcome::Done).unwrap();
    finish(&world, two).unwrap();
    assert_eq!(left_over(&world), Vec::<String>::new());
}

#[test]
fn a_lock_that_was_made_but_not_written_is_removed() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    let full = |effect: Effect| match &effect {
        Effect::Create { path, .. } if path.ends_with("/lock") => {
            world.put(path, "");
            failed("ENOSPC")
        }
        _ => world.perform(&effect),
    };
    adding("b".into()).run(full).unwrap();
    assert_eq!(left_over(&world), Vec::<String>::new());
}

#[test]
fn a_writer_that_tries_again_gives_the_lock_back_first() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    let mut slow = adding("slow".into());
    let rename = until(&world, &mut slow, commits);
    for token in world.files_below(&format!("{SIDE}/tokens")) {
        world.delete(&format!("{SIDE}/tokens/{token}"));
    }
    slow.resume(world.perform(&rename)).unwrap();
    let wait = until(&world, &mut slow, |e| matches!(e, Effect::Wait { .. }));
    assert_eq!(world.bytes(&format!("{SIDE}/lock")), None);
    slow.resume(world.perform(&wait)).unwrap();
    finish(&world, slow).unwrap();
}

#[test]
fn a_preparation_that_was_swept_is_made_again() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    let mut slow = adding("slow".into());
    let renames = |e: &Effect| matches!(e, Effect::Rename { from, .. } if from.ends_with(".new"));
    let rename = until(&world, &mut slow, renames);
    // Its fsync took longer than its lock lives: another one took over, committed and swept.
    add(&world, "b").unwrap();
    slow.resume(world.perform(&rename)).unwrap();
    finish(&world, slow).unwrap();
    let stored = object(&world);
    assert!(stored.get("b").is_some() && stored.get("slow").is_some());
}

#[test]
fn a_commit_whose_outcome_cannot_be_looked_up_says_that_it_is_unknown() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    let mut renamed = false;
    let result = adding("b".into()).run(|effect| match &effect {
        effect if commits(effect) => {
            world.perform(effect);
            renamed = true;
            failed("EIO")
        }
        Effect::Read { path, .. } if renamed && path == DOCUMENT => failed("EIO"),
        _ => world.perform(&effect),
    });
    let error = result.unwrap_err();
    assert_eq!(error.code(), Code::Io);
    assert!(
        error
            .to_string()
            .contains("revision 2 is written is unknown"),
        "{error}"
    );
}

#[test]
fn a_file_that_another_process_has_open_for_a_moment_is_waited_for() {
    let world = Memory::new();
    add(&world, "a").unwrap();
    world.put(&format!("{SIDE}/tokens/{}", "a".repeat(32)), "{}");
    let waits = |world: &Memory| {
        let log = world.log.borrow();
        log.iter().filter(|it| it.starts_with("Wait")).count()
    };
    let before = waits(&world);
    let mut is_open = false;
    // Everything that touches a document or a token finds it open at first.
    let shared = |effect: Effect| {
        let (Effect::Rename { from: path, .. }
        | Effect::Remove { path }
        | Effect::Read { path, .. }) = &effect
        else {
            return world.perform(&effect);
        };
        is_open = !is_open && (path == DOCUMENT || path.contains("/tokens/"));
        match is_open {
            true => Outcome::Failed {
                fault: Fault::Sharing,
                detail: "in use".into(),
            },
            false => world.perform(&effect),
        }
    };
    adding("b".into()).run(shared).unwrap();
    assert!(waits(&world) >= before + 4);
    assert_eq!(left_over(&world), Vec::<String>::new());
}
