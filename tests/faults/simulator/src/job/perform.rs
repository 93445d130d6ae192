use milepost::checkpoint::command::additions::Creation;
use milepost::effect::{Io, Sync};
use milepost::error::Error;
use milepost::json::Object;
use milepost::operation::command::restore::RestoredRun;
use milepost::operation::command::save::{RunInput, Saved};
use milepost::operation::command::undo::Undo;
use milepost::operation::command::update_phase::PhaseUpdate;
use milepost::operation::command::{self, prune, recover, redo, undo};
use milepost::operation::{Settings, Target};
use milepost::store::{Retention, Storage};

use super::{Ended, Job, ROOT, phase};

/// Performs a job. `build.rs` makes the blocking variant of this file.
pub(super) async fn perform(job: Job, io: &Io, durability: Sync) -> Result<Ended, Error> {
    let place = &Settings {
        root: Some(ROOT.to_owned()),
        git_root: None,
        working: ROOT.to_owned(),
        alias: None,
        dir: None,
        durability,
        history: Retention::default(),
        storage: Storage::Files,
    };
    let target = &Target {
        command: "design".to_owned(),
        feature: None,
    };
    let saved = match job {
        Job::Phase(number) | Job::Heartbeat(number) => {
            let patch = Object::from_iter([("status", "complete")]);
            let update = PhaseUpdate {
                phase: &phase(number),
                patch: &patch,
                task: None,
                add: None,
                creation: Creation::Allowed,
            };
            command::update_phase::update_phase(io, place, target, &update).await
        }
        Job::Replace(number) => {
            let phase = phase(number);
            let text = format!(r#"{{"phases":{{"{phase}":{{"status":"complete"}}}}}}"#);
            let given = RunInput::Text(&text);
            command::save::save(io, place, target, given, Creation::Allowed).await
        }
        Job::Complete => command::complete::complete(io, place, target, None).await,
        Job::Undo => {
            let undo = Undo::default();
            return Ok(restored(undo::undo(io, place, target, &undo).await.result?));
        }
        Job::Redo => {
            return Ok(restored(redo::redo(io, place, target, None).await.result?));
        }
        Job::Recover => {
            let recovered = recover::recover(io, place, target, None).await.result?;
            return Ok(restored(recovered.restored));
        }
        Job::Trim => {
            let pruned = prune::prune(io, place, target, Some(10), None).await.result;
            return pruned.map(|_| Ended::Trimmed);
        }
        Job::Read => {
            let loaded = command::load::load(io, place, target).await.result?;
            return Ok(Ended::Read(loaded.map(|it| (it.revision, it.text))));
        }
    };
    let Saved {
        revision, changed, ..
    } = saved.result?;
    Ok(Ended::Acknowledged {
        revision,
        changed,
        restored: None,
    })
}

fn restored(restored: RestoredRun) -> Ended {
    Ended::Acknowledged {
        revision: restored.revision,
        changed: restored.changed,
        restored: Some(restored.restored),
    }
}
