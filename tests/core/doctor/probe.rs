//! File systems that do not keep what the commit protocol rests on.

use std::cell::Cell;

use milepost::doctor::{Check, Finding, Fix, Level};
use milepost::effect::{Effect, Fault, Outcome, PathKind};

use super::{STATE, examination, examine, files, of, only, steps, world};
use crate::memory::{Injected, Memory};

fn probes_left(world: &Memory) -> Vec<String> {
    let disk = world.disk.borrow();
    let folders = [STATE.to_owned(), format!("{STATE}/.milepost")];
    let names = folders.iter().flat_map(|folder| disk.names(folder));
    let left = names.filter(|name| name.starts_with("probe-"));
    left.map(|name| name.to_string()).collect()
}

/// The finding about a file system that answers as `lie` does, or as memory does where that is
/// silent.
fn tried(lie: impl Fn(&Memory, &Effect) -> Option<Outcome>) -> Vec<Finding> {
    let world = world();
    let findings = examination(Fix::None).run(|effect| match lie(&world, &effect) {
        Some(outcome) => outcome,
        None => world.perform(&effect),
    });
    assert_eq!(probes_left(&world), [""; 0]);
    findings
}

fn is_probe(path: &str) -> bool {
    path.contains("/probe-")
}

#[track_caller]
fn assert_unfit(findings: &[Finding], found: &str) {
    let error = only(findings, Check::FileSystem);
    assert_eq!((error.level, error.found.as_str()), (Level::Error, found));
}

#[test]
fn a_creation_that_replaces_a_file_is_found() {
    let findings = tried(|world, effect| match effect {
        Effect::Create { path, bytes, .. } if is_probe(path) => {
            world.put(path, bytes);
            Some(Outcome::Done)
        }
        _ => None,
    });
    assert_unfit(&findings, "A file that exists can be created again");
}

#[test]
fn a_rename_that_does_not_replace_is_found() {
    let findings = tried(|world, effect| match effect {
        Effect::Rename { from, to } if is_probe(to) && world.bytes(to).is_some() => {
            world.delete(from);
            Some(Outcome::Done)
        }
        _ => None,
    });
    let found = "A file renamed over another does not replace it";
    assert_unfit(&findings, found);
}

#[test]
fn a_rename_that_copies_is_found() {
    let findings = tried(|world, effect| match effect {
        Effect::Rename { from, to } if is_probe(to) => {
            world.put(to, world.bytes(from).unwrap());
            Some(Outcome::Done)
        }
        _ => None,
    });
    assert_unfit(&findings, "A renamed file keeps its name");
}

#[test]
fn a_link_that_replaces_a_file_is_found() {
    let findings = tried(|world, effect| match effect {
        Effect::Link { from, to } if is_probe(to) => {
            world.put(to, world.bytes(from).unwrap());
            Some(Outcome::Done)
        }
        _ => None,
    });
    assert_unfit(&findings, "A second name replaces another file");
}

#[test]
fn a_link_that_dies_with_the_first_name_is_found() {
    let findings = tried(|world, effect| match effect {
        Effect::Remove { path } if path.ends_with("/one") => {
            world.delete(&path.replace("/one", "/three"));
            None
        }
        _ => None,
    });
    assert_unfit(&findings, "A second name is lost with the first");
}

#[test]
fn a_listing_that_leaves_out_a_name_is_found() {
    // As by a cache that is a moment old.
    let is_old = Cell::new(true);
    let findings = tried(|world, effect| match effect {
        Effect::List { path, .. } if is_probe(path) => match world.perform(effect) {
            Outcome::Names { names, complete } if is_old.replace(false) => {
                let names = names
                    .into_iter()
                    .filter(|it| !it.starts_with("token-"))
                    .collect();
                Some(Outcome::Names { names, complete })
            }
            other => Some(other),
        },
        _ => None,
    });
    assert_unfit(&findings, "A listing leaves out a name");
}

#[test]
fn a_listing_that_shows_what_is_gone_is_found() {
    let findings = tried(|world, effect| match effect {
        Effect::List { path, .. } if is_probe(path) => match world.perform(effect) {
            Outcome::Names {
                mut names,
                complete,
            } if names.contains(&"token-1".to_owned()) => {
                names.push("token-0".to_owned());
                Some(Outcome::Names { names, complete })
            }
            other => Some(other),
        },
        _ => None,
    });
    assert_unfit(&findings, "A listing shows a name that is gone");
}

#[test]
fn a_listing_that_never_ends_by_itself_is_found() {
    let findings = tried(|world, effect| match effect {
        Effect::List { path, .. } if is_probe(path) => match world.perform(effect) {
            Outcome::Names { names, .. } => Some(Outcome::Names {
                names,
                complete: false,
            }),
            other => Some(other),
        },
        _ => None,
    });
    assert_unfit(&findings, "No listing comes to its end");
}

#[test]
fn missing_abilities_of_a_host_are_notes() {
    let world = world();
    world.has_links.set(false);
    let findings = examine(&world);
    let note = only(&findings, Check::FileSystem);
    assert_eq!(note.level, Level::Note);
    assert_eq!(note.found, "Files cannot have a second name here");

    let findings = tried(|_, effect| match effect {
        Effect::SyncFolder { path } if is_probe(path) => Some(failed(Fault::Unsupported)),
        _ => None,
    });
    let note = only(&findings, Check::FileSystem);
    assert_eq!(note.level, Level::Note);
    assert_eq!(note.found, "Folders cannot be synced here");
}

#[test]
fn a_file_system_that_folds_case_is_a_note() {
    let findings = tried(|world, effect| match effect {
        Effect::Read { path, limit, links } if path.contains("/STAYS-") => {
            Some(world.perform(&Effect::Read {
                path: path.replace("/STAYS-", "/stays-"),
                limit: *limit,
                links: *links,
            }))
        }
        _ => None,
    });
    let note = only(&findings, Check::FileSystem);
    assert_eq!(note.level, Level::Note);
    assert!(note.found.starts_with("Letter case"), "{note:?}");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_reported_and_examined_all_the_same() {
    let findings = tried(|_, effect| match effect {
        Effect::MakeFolder { .. } | Effect::Create { .. } | Effect::Remove { .. } => {
            Some(failed(Fault::Other))
        }
        _ => None,
    });
    let error = only(&findings, Check::FileSystem);
    assert_eq!(error.level, Level::Error);
    assert_eq!(error.found, "No folder can be made here: by hand");
    assert!(of(&findings, Check::Documents).is_empty());
}

#[test]
fn a_state_folder_that_takes_no_file_is_an_error_even_if_the_folder_in_it_is_sound() {
    let findings = tried(|world, effect| match effect {
        Effect::Rename { to, .. } if to.rsplit_once('/').is_some_and(|it| it.0 == STATE) => {
            Some(failed(Fault::Other))
        }
        Effect::Inspect { paths } if paths.iter().any(|path| path == STATE) => {
            let Outcome::Entries(mut entries) = world.perform(effect) else {
                return None;
            };
            for entry in &mut entries {
                entry.mode = Some(0o500);
            }
            Some(Outcome::Entries(entries))
        }
        _ => None,
    });
    let error = only(&findings, Check::FileSystem);
    assert_eq!(error.level, Level::Error);
    assert_eq!(error.found, "No file can be put here (mode 0500): by hand");
    assert_eq!(steps(error).as_deref(), Some("chmod u+rwx .claude/state"));
    assert!(of(&findings, Check::Modes).is_empty(), "{findings:#?}");
}

#[test]
fn a_side_folder_that_was_closed_comes_with_the_command_that_opens_it() {
    let findings = tried(|world, effect| match effect {
        Effect::MakeFolder { path, .. } if is_probe(path) => Some(failed(Fault::Other)),
        Effect::Inspect { paths } if paths.iter().any(|path| path == STATE) => {
            let Outcome::Entries(mut entries) = world.perform(effect) else {
                return None;
            };
            for (entry, path) in entries.iter_mut().zip(paths) {
                let is_side = path.ends_with("/.milepost");
                entry.mode = Some(if is_side { 0o500 } else { 0o700 });
            }
            Some(Outcome::Entries(entries))
        }
        _ => None,
    });
    let error = only(&findings, Check::FileSystem);
    let remedy = "chmod u+rwx .claude/state/.milepost";
    assert_eq!(steps(error).as_deref(), Some(remedy));
    // It names the folder that was closed, not the one above it, and what it is closed by.
    assert_eq!(error.path.as_deref(), Some(".claude/state/.milepost"));
    assert_eq!(
        error.found,
        "No folder can be made here (mode 0500): by hand"
    );
}

#[test]
fn an_fsync_that_fails_is_reported() {
    let findings = tried(|_, effect| match effect {
        Effect::SyncFolder { path } if is_probe(path) => Some(failed(Fault::Other)),
        _ => None,
    });
    let error = only(&findings, Check::FileSystem);
    assert_eq!(error.found, "Cannot sync a folder: by hand");
}

#[test]
fn a_probe_that_is_removed_by_another_program_is_no_verdict_on_the_file_system() {
    let findings = tried(|world, effect| match effect {
        Effect::Create { path, .. } if path.ends_with("/stays-7") => {
            let folder = path.strip_suffix("/stays-7").unwrap();
            for name in world.files_below(folder) {
                world.delete(&format!("{folder}/{name}"));
            }
            world.delete(folder);
            None
        }
        _ => None,
    });
    let note = only(&findings, Check::FileSystem);
    assert_eq!(note.level, Level::Note);
}

#[test]
fn a_fault_at_any_effect_is_reported_and_hides_no_other_finding() {
    for for_good in [false, true] {
        for at in 0.. {
            let world = world();
            let before = files(&world);
            let first = world.performed.get();
            let fault = Fault::Other;
            let at = first + at;
            world.injected.set(Some(Injected {
                at,
                for_good,
                fault,
            }));
            let machine = milepost::effect::Machine::start(|io| async move {
                let settings = super::settings("/repo");
                milepost::operation::project::doctor::doctor(&io, &settings, Fix::Safe).await
            });
            let reply = world.run(machine);
            world.injected.set(None);
            if world.performed.get() <= at {
                assert!(
                    at - first > 100,
                    "an examination is more than {} effects",
                    at - first
                );
                break;
            }
            let left = probes_left(&world);
            match reply.result {
                Err(error) => assert!(left.is_empty(), "{error}"),
                Ok(findings) => {
                    let is_said =
                        |it: &Finding| it.found.contains("cannot be removed") && !it.is_fixed;
                    let said = findings.iter().any(is_said);
                    assert_eq!(said, !left.is_empty(), "{at}: {left:?}");
                }
            }
            let mut after = files(&world);
            after.retain(|(path, _)| !path.contains("probe-"));
            assert_eq!(after, before, "{at}");
        }
    }
}

#[test]
fn without_a_side_folder_the_file_system_is_tried_beside_the_documents() {
    let world = Memory::new();
    world.put(&format!("{STATE}/ship-checkpoint.json"), "{}");
    let findings = examine(&world);
    assert!(of(&findings, Check::FileSystem).is_empty());
    assert_eq!(probes_left(&world), [""; 0]);
    let entries = world.perform(&Effect::Inspect {
        paths: vec![format!("{STATE}/.milepost")],
    });
    let Outcome::Entries(entries) = entries else {
        panic!("expected entries");
    };
    assert_eq!(entries[0].kind, PathKind::Absent);
}

fn failed(fault: Fault) -> Outcome {
    Outcome::Failed {
        fault,
        detail: "by hand".into(),
    }
}
