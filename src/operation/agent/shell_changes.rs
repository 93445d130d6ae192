//! The changes that shell commands make: at the end of a turn, files that differ from HEAD and that no tool named join
//! the phase, and files that are gone again leave it.
//!
//! `session-ID.dirty`, beside the session's other records, has what differed before. Nothing is run to find what
//! differs: a file that only git can compare is left out. Where an untracked file would join, git is asked for its
//! configuration, which names the patterns that the user ignores everywhere. A failure counts as if it had not been
//! tried.

use super::hook_context::{FoundRun, HookContext};
use super::records::Records;
#[cfg(sessions)]
use crate::checkpoint::command::agents::Baseline;
use crate::error::Error;

/// The ending of the record of what differed before.
const DIRTY: &str = "dirty";

/// The part of a session at whose beginning a baseline is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begins {
    /// The session: what was recorded before is of no use.
    Session,
    /// A part of it.
    Part,
}

/// The changes of a turn, besides those that tools named.
#[derive(Debug, Default)]
pub(super) struct Unnamed {
    /// The files that join the phase, and whether each is new.
    pub(super) changed: Vec<(String, bool)>,
    /// The files that are gone again.
    pub(super) gone: Vec<String>,
    /// The record for the next turn, where it differs from the stored one.
    #[cfg(sessions)]
    next: Option<Baseline>,
}

#[cfg(sessions)]
pub(super) use enabled::{begin, keep, seen};
#[cfg(not(sessions))]
pub(super) use stub::{begin, keep, seen};

#[cfg(sessions)]
mod enabled {
    use std::collections::BTreeSet;

    use super::super::owner_record::state_of;
    use super::super::process::ProcessState;
    use super::super::settings::agent_settings;
    use super::{Baseline, Begins, DIRTY, Error, FoundRun, HookContext, Records, Unnamed};
    use crate::checkpoint::command::agents::{self, DirtyFile, MAX_DIRTY, Trace};
    use crate::checkpoint::command::files::files;
    use crate::checkpoint::session::plan::path::problem;
    use crate::effect::{PathKind, boxed};
    use crate::git::ignore::IgnorePathKind;
    use crate::json::{Json, Object};
    use crate::operation::command::summary::RunSummary;
    use crate::root;
    use crate::secret::secret_in;
    use crate::store::StoreFolder;
    use crate::worktree::report::{PathState, PathTracking, ReportedFile, ScanLimits};
    use crate::worktree::{WorktreeScan, scan_without_git};

    const PREPARING: &str = "dirty-new";
    /// A baseline is not larger.
    const MAX_BYTES: u32 = 1 << 20;
    /// In a worktree with more folders the time of a hook would not suffice.
    const MAX_FOLDERS: usize = 20_000;
    const MINUTE_MS: f64 = 60_000.0;

    /// Records what differs from HEAD before a session, or before the first work of a part of one where nothing is
    /// recorded yet. `named` are files that the event names: a tool has just written them.
    pub(in super::super) async fn begin(
        hook: &HookContext<'_>,
        begins: Begins,
        named: &[(String, Option<bool>)],
    ) {
        let Some(records) = hook.open_records().await else {
            return;
        };
        if begins == Begins::Part && read(&records).await.is_some() {
            return;
        }
        let named: Vec<&str> = named.iter().map(|(path, _)| path.as_str()).collect();
        let scan = scan(hook).await;
        let baseline = scan.and_then(|scan| Baseline::of(&dirty(&scan), &named));
        record(&records, baseline).await;
    }

    /// Looks for what the turn changed. Nothing where no baseline is recorded.
    ///
    /// # Errors
    ///
    /// None here; in the wasm of hooks, where the library has to be asked.
    pub(in super::super) async fn seen(
        hook: &HookContext<'_>,
        found: &FoundRun,
    ) -> Result<Unnamed, Error> {
        Ok(since_baseline(hook, found).await.unwrap_or_default())
    }

    /// Records what the next turn is compared with, after the changes of this one are kept.
    pub(in super::super) async fn keep(hook: &HookContext<'_>, unnamed: Unnamed) {
        if let Some(next) = unnamed.next
            && let Some(records) = hook.open_records().await
        {
            record(&records, Some(next)).await;
        }
    }

    async fn since_baseline(hook: &HookContext<'_>, found: &FoundRun) -> Option<Unnamed> {
        let baseline = read(&hook.records()?).await?;
        let mut scan = scan(hook).await?;
        let dirty = dirty(&scan);
        let next = Baseline::of(&dirty, &[]).filter(|next| *next != baseline);
        let changed = changed(hook, found, &mut scan, (&dirty, &baseline)).await?;
        let gone = gone(hook, &found.object, (&scan, &baseline)).await;
        Some(Unnamed {
            changed,
            gone,
            next,
        })
    }

    async fn changed(
        hook: &HookContext<'_>,
        found: &FoundRun,
        scan: &mut WorktreeScan,
        (dirty, baseline): (&[DirtyFile], &Baseline),
    ) -> Option<Vec<(String, bool)>> {
        let named = agents::named_in_turn(&found.object, &hook.session.id);
        let unnamed = agents::unnamed(dirty, baseline, &named, &BTreeSet::new());
        if unnamed.is_empty() {
            return Some(Vec::new());
        }
        let others = named_by_others(hook).await?;
        let unnamed = agents::unnamed(dirty, baseline, &named, &others);
        if unnamed.iter().any(|file| file.is_new) {
            scan.add_user_patterns(hook.io).await;
        }
        let is_kept = |file: &&DirtyFile| !scan.is_ignored(&file.path, IgnorePathKind::File);
        let kept = unnamed.into_iter().filter(|it| !it.is_new || is_kept(it));
        Some(kept.map(|it| (it.path.clone(), it.is_new)).collect())
    }

    /// The files of runs that other living sessions work on.
    async fn named_by_others(hook: &HookContext<'_>) -> Option<BTreeSet<String>> {
        let minutes = agent_settings(hook.io, hook.root).await.session_idle;
        let now_ms = hook.now_ms().await.ok()?;
        let idle_ms = minutes as f64 * MINUTE_MS;
        let mut named = BTreeSet::new();
        let records = hook.records();
        let here = hook.here().await.worktree();
        for (target, read) in hook.unfinished().await.ok()? {
            let worktree = read.as_ref().ok().and_then(RunSummary::worktree);
            if worktree.is_some() && worktree != here {
                continue;
            }
            let sessions = read.as_ref().map_or("", RunSummary::sessions);
            let mut is_living = false;
            for other in agents::others(sessions, &hook.session.id, now_ms, idle_ms) {
                let state = match &records {
                    Some(records) => state_of(hook.io, &records.of_other(other.session.id)).await,
                    None => ProcessState::Unknown,
                };
                is_living |= state != ProcessState::Gone;
            }
            if is_living && let Ok(Some(run)) = hook.read(target).await {
                named.extend(files(&run.object).into_iter().map(str::to_owned));
            }
        }
        Some(named)
    }

    /// The files that the run created, of which nothing is there any more, and which git does not know. A file that
    /// was never seen is not gone.
    async fn gone(
        hook: &HookContext<'_>,
        run: &Object,
        (scan, baseline): (&WorktreeScan, &Baseline),
    ) -> Vec<String> {
        let in_turn = agents::created_in_turn(run, &hook.session.id);
        let is_unknown = |path: &&str| {
            let was_there = baseline.was_there(path) || in_turn.contains(path);
            let is_unknown = !scan.has(path) && scan.file(path).is_none();
            was_there && problem(path, &[]).is_none() && is_unknown
        };
        let unknown: Vec<&str> = agents::created_files(run)
            .into_iter()
            .filter(is_unknown)
            .collect();
        if unknown.is_empty() {
            return Vec::new();
        }
        let paths = unknown.iter().map(|path| hook.root.join(path)).collect();
        let entries = hook.io.inspect(paths).await.unwrap_or_default();
        let gone = unknown.into_iter().zip(entries);
        let gone = gone.filter(|(_, entry)| entry.kind == PathKind::Absent);
        gone.map(|(path, _)| path.to_owned()).collect()
    }

    async fn scan(hook: &HookContext<'_>) -> Option<WorktreeScan> {
        let state = root::state_folder(hook.root, hook.settings).ok()?;
        let sessions = root::sessions_folder(hook.root, hook.settings).ok()?;
        let own = [&state, &sessions].into_iter();
        let own: Vec<&str> = own
            .filter(|it| it.is_below_root())
            .map(StoreFolder::path)
            .collect();
        let limits = ScanLimits {
            files: MAX_DIRTY,
            folders: MAX_FOLDERS,
            ..ScanLimits::default()
        };
        let scan = boxed(scan_without_git(hook.io, hook.root, &limits, &own)).await;
        scan.ok().flatten()
    }

    /// The differences that a look shows in the worktree; not those that only the index has, nor those that only git
    /// can find, nor a path that holds a secret.
    fn dirty(scan: &WorktreeScan) -> Vec<DirtyFile> {
        let is_known = |file: &&ReportedFile| {
            let is_compared = !file.is_assumed || file.head.is_none();
            is_compared && file.change.is_some() && secret_in(&file.path).is_none()
        };
        let dirty = scan.files.iter().filter(is_known).map(|file| DirtyFile {
            path: file.path.clone(),
            trace: match file.state {
                PathState::Absent | PathState::Folder => Trace::Gone,
                PathState::File { size, .. } => Trace::There {
                    size,
                    modified_ms: file.modified_ms,
                },
                PathState::Link | PathState::Special => Trace::There {
                    size: 0,
                    modified_ms: file.modified_ms,
                },
            },
            is_new: file.head.is_none() && file.tracking == PathTracking::Untracked,
        });
        dirty.collect()
    }

    async fn read(records: &Records<'_>) -> Option<Baseline> {
        let record = records.read_up_to(records.path(DIRTY), MAX_BYTES).await?;
        Baseline::parse(&record)
    }

    async fn record(records: &Records<'_>, baseline: Option<Baseline>) {
        let mut record = Object::new();
        if let Some(baseline) = &baseline {
            baseline.record(&mut record);
        }
        let is_bounded = Json::from(record.clone()).to_line().len() < MAX_BYTES as usize;
        if baseline.is_some() && is_bounded {
            records.replace(DIRTY, PREPARING, record).await;
        } else {
            records.remove(DIRTY).await;
        }
    }
}

/// The wasm of hooks does not look at worktrees.
#[cfg(not(sessions))]
mod stub {
    use super::{Begins, DIRTY, Error, FoundRun, HookContext, Records, Unnamed};
    use crate::effect::PathKind;
    use crate::error::whole;

    pub(in super::super) async fn begin(
        _: &HookContext<'_>,
        _: Begins,
        _: &[(String, Option<bool>)],
    ) {
    }

    /// Leaves it to the library, where there is a baseline.
    pub(in super::super) async fn seen(
        hook: &HookContext<'_>,
        _: &FoundRun,
    ) -> Result<Unnamed, Error> {
        if let Some(records) = hook.records() {
            let looked = hook.io.inspect(vec![records.path(DIRTY)]).await;
            if looked.is_ok_and(|it| it.iter().any(|entry| entry.kind == PathKind::File)) {
                whole::needed()?;
            }
        }
        Ok(Unnamed::default())
    }

    pub(in super::super) async fn keep(_: &HookContext<'_>, _: Unnamed) {}
}
