//! Files and folders of another user, as `sudo` leaves them.

use milepost::doctor::{Check, Finding, Fix, Level};
use milepost::effect::{Effect, Fault, Outcome, PathEntry, PathKind};

use super::{FILE, examination, only, steps, world};
use crate::memory::Memory;

const AT: &str = ".claude/state/design-checkpoint.json";

#[test]
fn a_run_that_its_owner_may_not_read_comes_with_the_command_that_changes_its_mode() {
    let world = world();
    let findings = examination(Fix::None).run(|effect| match &effect {
        Effect::Read { path, .. } if path == FILE => Outcome::Failed {
            fault: Fault::Other,
            detail: "EACCES: permission denied".into(),
        },
        Effect::Inspect { paths } if paths == &[FILE] => Outcome::Entries(vec![PathEntry {
            kind: PathKind::File,
            size: 1,
            mode: Some(0o200),
        }]),
        _ => world.perform(&effect),
    });
    let error = only(&findings, Check::Documents);
    assert!(error.found.contains("EACCES"), "{error:?}");
    let expected = format!("chmod u+rw {AT}");
    assert_eq!(steps(error).as_deref(), Some(expected.as_str()));
}

/// The answer to every read of a path with this in it.
fn denied(world: &Memory, effect: &Effect, part: &str) -> Option<Outcome> {
    match effect {
        Effect::Read { path, .. } | Effect::List { path, .. } if path.contains(part) => {
            Some(Outcome::Failed {
                fault: Fault::Other,
                detail: "EACCES: permission denied".into(),
            })
        }
        // As on a host with modes.
        Effect::Inspect { .. } => match world.perform(effect) {
            Outcome::Entries(mut entries) => {
                for entry in &mut entries {
                    entry.mode = match entry.kind {
                        PathKind::File => Some(0o600),
                        PathKind::Folder => Some(0o700),
                        _ => None,
                    };
                }
                Some(Outcome::Entries(entries))
            }
            other => Some(other),
        },
        _ => None,
    }
}

fn examine_denied(world: &Memory, part: &str) -> Vec<Finding> {
    examination(Fix::None).run(|effect| match denied(world, &effect, part) {
        Some(outcome) => outcome,
        None => world.perform(&effect),
    })
}

#[test]
fn a_sound_run_that_another_user_wrote_is_not_to_be_moved_away() {
    let world = world();
    let findings = examine_denied(&world, FILE);
    let error = only(&findings, Check::Documents);
    assert!(error.found.contains("EACCES"), "{error:?}");
    assert!(error.why.unwrap().contains("`chown`"), "{error:?}");
    assert_eq!(steps(error), None);
}

#[test]
fn a_revision_that_another_user_wrote_is_not_called_altered() {
    let world = world();
    let findings = examine_denied(&world, "/history/2-");
    let warning = only(&findings, Check::History);
    assert_eq!(warning.level, Level::Warning);
    assert!(warning.found.contains("EACCES"), "{warning:?}");
    assert_eq!(steps(warning), None);
}

#[test]
fn a_corrupt_run_is_not_to_be_moved_away_while_its_history_cannot_be_read() {
    for part in ["/history", "/history/"] {
        let world = world();
        world.put(FILE, "{ torn");
        let findings = examine_denied(&world, part);
        let error = only(&findings, Check::Documents);
        assert!(error.found.contains("corrupt"), "{error:?}");
        assert_eq!(steps(error), None, "{part}");
    }
    let world = world();
    world.put(FILE, "{ torn");
    let findings = examine_denied(&world, "/history/3-");
    let error = only(&findings, Check::Documents);
    assert_eq!(steps(error).as_deref(), Some("recover design"));
}

#[test]
fn a_sound_run_is_not_to_be_moved_away_while_its_history_cannot_be_listed() {
    let world = world();
    // Written by hand, so that only history tells its revision.
    world.put(FILE, r#"{"command":"design"}"#);
    let findings = examine_denied(&world, "/history");
    let error = only(&findings, Check::Documents);
    assert_eq!(steps(error), None, "{error:?}");
}
