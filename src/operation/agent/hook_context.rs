//! The checkpoint that an agent's session works on, and how an event changes it.

use std::cell::{Cell, OnceCell};

use crate::agent::{self, CommandWords};
use crate::checkpoint::command::agents;
use crate::checkpoint::command::document::{Draft, RunDocument, is_completed};
use crate::checkpoint::command::phases::reopen;
use crate::effect::{Io, PathKind};
use crate::error::{Error, whole};
use crate::extent::IS_WHOLE;
use crate::git::Checkout;
use crate::json::Object;
use crate::operation::command::latest::ordered;
use crate::operation::command::list::{Read, RunSelection, read_all};
use crate::operation::command::run_store::{Moment, RunStore};
use crate::operation::command::summary::RunSummary;
use crate::operation::workspace::Workspace;
use crate::operation::{Settings, Target, Warnings, secrets};
use crate::root::{self, Head, Root};
use crate::store::{Change, Current, Storage};
use crate::time;

use super::claim::{RunClaim, may};
use super::kept_in_files::KeptInFiles;
use super::owner_record::OwnerRecord;
use super::records::Records;
use super::session::SessionKey;

/// A session at its project.
pub(super) struct HookContext<'a> {
    here: OnceCell<Checkout>,
    /// Set where a run keeps the branch that it records: the turn that ends was of that one.
    keeps_place: Cell<bool>,
    /// Set where the answer to the event can show the agent a text.
    pub(super) can_answer: bool,
    /// The reason that runs are kept in files, where the hook names a database.
    pub(super) kept_in_files: Option<KeptInFiles<'a>>,
    /// The words of commands that the session is asked to type.
    pub(super) words: &'a CommandWords<'a>,
    pub(super) io: &'a Io,
    pub(super) settings: &'a Settings,
    pub(super) root: &'a Root,
    pub(super) session: &'a SessionKey,
}

/// The checkpoint of a session, as found in the store.
pub(super) struct FoundRun {
    pub(super) target: Target,
    pub(super) object: Object,
}

/// The change that an event makes to a run: returns whether it changed anything. The second argument is the time.
pub(super) type Decide<'a> = dyn FnMut(&mut Draft, &str) -> Result<bool, Error> + 'a;

impl<'a> HookContext<'a> {
    /// A session at its project.
    pub(super) fn new(
        io: &'a Io,
        settings: &'a Settings,
        root: &'a Root,
        session: &'a SessionKey,
    ) -> Self {
        HookContext {
            io,
            settings,
            root,
            session,
            here: OnceCell::new(),
            keeps_place: Cell::new(false),
            can_answer: false,
            kept_in_files: None,
            words: &CommandWords::LOCAL,
        }
    }
}

impl HookContext<'_> {
    /// The checkout of the root, looked for at most once.
    pub(super) async fn here(&self) -> &Checkout {
        if let Some(here) = self.here.get() {
            return here;
        }
        let here = root::checkout(self.io, self.root).await;
        self.here.get_or_init(|| here)
    }

    /// The branch that is checked out; `None` as well for one whose name holds a secret.
    ///
    /// # Errors
    ///
    /// Fails with `usage` if only the `library` build can do it.
    pub(super) async fn branch_here(&self) -> Result<Option<&str>, Error> {
        match self.here().await.branch() {
            Some(branch) if secrets::holds(branch)? => Ok(None),
            branch => Ok(branch),
        }
    }

    /// The records of the session, by names alone.
    pub(super) fn records(&self) -> Option<Records<'_>> {
        Records::of_session(self.io, self.root, self.settings, &self.session.id)
    }

    /// The records, where their folder is one of the store's own, and no link leads out of it. Where runs are kept in a
    /// database, nothing else makes that folder.
    pub(super) async fn open_records(&self) -> Option<Records<'_>> {
        let records = self.records()?;
        match IS_WHOLE && self.settings.storage == Storage::Records {
            true => records.made(self.root).await,
            false => records.opened().await,
        }
    }

    /// The record of the session's process and branch.
    pub(super) async fn owner_record(&self) -> Option<OwnerRecord> {
        OwnerRecord::read(&self.records()?).await
    }

    /// Records the process, and the branch that the session saw: the present one, or still the one before.
    pub(super) async fn record_owner(&self, before: Option<&OwnerRecord>, is_shown: bool) {
        let Some(records) = self.open_records().await else {
            return;
        };
        let branch = match before {
            Some(before) if !is_shown => before.branch.as_deref(),
            _ => self.branch_here().await.unwrap_or_default(),
        };
        let session = (self.session.agent.name(), self.session.id.as_str(), branch);
        OwnerRecord::write(self.io, &records, session, before).await;
    }

    /// Every unfinished run of the project.
    pub(super) async fn unfinished(&self) -> Result<Vec<Read>, Error> {
        let of = Some(self.session.id.as_str());
        read_all(
            self.io,
            self.settings,
            self.root,
            RunSelection::Unfinished { of },
        )
        .await
    }

    /// The one of these that the session works on, on the branch of now.
    pub(super) async fn own(&self, all: &[Read], now_ms: f64) -> Result<Option<Target>, Error> {
        for (target, run) in ordered(all, now_ms) {
            if agents::works_on(run.sessions(), &self.session.id) && self.is_here(run).await? {
                return Ok(Some(target.clone()));
            }
        }
        Ok(None)
    }

    /// Returns whether a run that the session owns is still that of the present branch.
    ///
    /// So is one whose branch was renamed, and one of the default branch where the session has created a branch for
    /// the work since.
    pub(super) async fn is_here(&self, run: &RunSummary) -> Result<bool, Error> {
        let Some(recorded) = run.branch().filter(|it| !it.is_empty()) else {
            return Ok(true);
        };
        let Ok(Some(now)) = root::branch(self.io, self.root).await else {
            return Ok(true);
        };
        if now == recorded {
            return Ok(true);
        }
        whole::needed()?;
        Ok(self.has_followed(recorded, &now).await)
    }

    #[inline(never)]
    async fn has_followed(&self, recorded: &str, now: &str) -> bool {
        if !root::has_branch(self.io, self.root, recorded).await {
            return true;
        }
        let Checkout::Known { default, .. } = self.here().await else {
            return true;
        };
        let is_default =
            default.as_deref() == Some(recorded) || agent::feature_of_branch(recorded).is_none();
        if !is_default {
            return false;
        }
        let created = root::created_from_other(self.io, self.root, now).await;
        let record = self.owner_record().await;
        match (created, record) {
            // A reflog has whole seconds.
            (Some(created), Some(record)) => created + 1_000.0 > record.since_ms,
            _ => false,
        }
    }

    /// The run that the session works on, on the branch of now, if there is one that is unfinished.
    pub(super) async fn found(&self) -> Result<Option<FoundRun>, Error> {
        let mut all = self.unfinished().await?;
        // Where a session has one run only, its order does not matter, and no clock is asked for.
        let Some(target) = self.own(&all, f64::INFINITY).await? else {
            return Ok(None);
        };
        let at = all.iter().position(|(other, _)| *other == target);
        let read = at.and_then(|at| all.swap_remove(at).1.ok());
        match read.and_then(RunSummary::into_object) {
            Some(object) => Ok(Some(FoundRun { target, object })),
            None => self.read(target).await,
        }
    }

    /// The run of a turn that ends: the one on the branch of now, else one that the turn has changed before another
    /// branch was checked out. The second value says whether it is the former.
    pub(super) async fn found_at_end(&self) -> Result<Option<(FoundRun, bool)>, Error> {
        if let Some(found) = self.found().await? {
            return Ok(Some((found, true)));
        }
        whole::needed()?;
        for (target, read) in self.unfinished().await? {
            let sessions = read.as_ref().map_or("", RunSummary::sessions);
            if !agents::works_on(sessions, &self.session.id) {
                continue;
            }
            if let Some(found) = self.read(target).await?
                && agents::has_worked(&found.object, &self.session.id)
            {
                self.keeps_place.set(true);
                return Ok(Some((found, false)));
            }
        }
        Ok(None)
    }

    /// The session's run, else the run on the present branch that the session worked on before it ended: one that is
    /// continued may not say so before its context is compacted.
    pub(super) async fn found_or_ended(&self) -> Result<Option<FoundRun>, Error> {
        if let Some(found) = self.found().await? {
            return Ok(Some(found));
        }
        let all = self.unfinished().await?;
        for (target, run) in ordered(&all, f64::INFINITY) {
            let presence = agents::presence(run.sessions(), &self.session.id);
            if presence == Some(agents::SessionPresence::Ended) && self.is_here(run).await? {
                return self.read(target.clone()).await;
            }
        }
        Ok(None)
    }

    async fn store<'a>(&'a self, target: &'a Target) -> Result<Box<RunStore<'a>>, Error> {
        let workspace = Workspace {
            io: self.io,
            settings: self.settings,
            root: self.root.clone(),
        };
        RunStore::at(workspace, target).await
    }

    /// A checkpoint, unless it is complete or gone.
    pub(super) async fn read(&self, target: Target) -> Result<Option<FoundRun>, Error> {
        let store = self.store(&target).await?;
        let object = store.read().await?.document.map(|it| it.object);
        drop(store);
        Ok(object
            .filter(|object| !is_completed(object))
            .map(|object| FoundRun { target, object }))
    }

    /// Returns whether a file that no phase lists is new: git does not track it. Without a repository, the agent's word
    /// counts.
    pub(super) async fn is_new(&self, path: &str, said: Option<bool>) -> bool {
        match root::tracked(self.io, self.root, path).await {
            Ok(Some(is_tracked)) => !is_tracked,
            Ok(None) | Err(_) => said.unwrap_or(false),
        }
    }

    /// Returns whether a file stands at this path below the root.
    pub(super) async fn is_there(&self, path: &str) -> bool {
        let looked = self.io.inspect(vec![self.root.join(path)]).await;
        looked.is_ok_and(|it| it.iter().all(|entry| entry.kind == PathKind::File))
    }

    /// Changes a run that was read; where nothing changes in it, nothing is asked for and written.
    pub(super) async fn change_at(
        &self,
        found: &FoundRun,
        warnings: &mut Warnings,
        decide: &mut Decide<'_>,
    ) -> Result<bool, Error> {
        let now_ms = self.now_ms().await?;
        let mut draft = Draft::from(found.object.clone());
        let changes = decide(&mut draft, &time::format(now_ms))?;
        if !changes && !agents::is_due(&found.object, &self.session.id, now_ms) {
            return Ok(true);
        }
        self.commit(&found.target, RunClaim::Own, warnings, decide)
            .await
    }

    /// Commits what `decide` makes of a checkpoint, and that the session works on it. Returns whether the
    /// claim held.
    pub(super) async fn commit(
        &self,
        target: &Target,
        claim: RunClaim<'_>,
        warnings: &mut Warnings,
        decide: &mut Decide<'_>,
    ) -> Result<bool, Error> {
        let store = self.store(target).await?;
        let here = self.here().await;
        let branch = self.branch_here().await?;
        if matches!(claim, RunClaim::Any | RunClaim::Begun { .. }) {
            store.expect_known_place().await?;
        }
        let moment = store.moment(warnings).await?;
        let now_ms = time::parse(&moment.now).map_or(0.0, time::Time::wall_ms);
        let id = self.session.id.as_str();
        let holds = Cell::new(false);
        let mut decide = |current: &Current<'_>| {
            store.expect_own_current(current)?;
            holds.set(may(claim, current, (target, here), id, now_ms));
            if !holds.get() {
                return Ok(Change::Keep);
            }
            let mut draft = match current.document {
                Some(document) => Draft::from(document.stamped()),
                None => {
                    let feature = target.feature.as_deref();
                    RunDocument::new(&target.command, feature, &moment.now).into()
                }
            };
            let is_due = agents::is_due(draft.as_object(), id, now_ms);
            let is_own = agents::works_on(&agents::line(draft.as_object()).unwrap_or_default(), id);
            if is_due {
                agents::note(&mut draft, self.session.named(), &moment.now);
            }
            let mut changed = decide(&mut draft, &moment.now)?;
            if claim != RunClaim::Own {
                if !is_own {
                    agents::replace_others(&mut draft, Some(id), &moment.now);
                }
                changed |= is_completed(draft.as_object());
                reopen(&mut draft)?;
            }
            if !changed && !is_due && current.document.is_some() {
                return Ok(Change::Keep);
            }
            if let Some(worktree) = here.worktree()
                && (changed || claim != RunClaim::Own)
                && !self.keeps_place.get()
            {
                agents::place(&mut draft, branch, worktree);
            }
            let stored = current.document.map(|document| &document.object);
            // Where nothing was done, the work is still that of the commit before.
            let moment = match changed || current.document.is_none() {
                true => &moment,
                false => &Moment {
                    now: moment.now.clone(),
                    head: Head::Unreadable(String::new()),
                },
            };
            store.sign(moment, draft, current, stored.as_slice())
        };
        store
            .update(None, &mut decide, &moment.head, warnings)
            .await?;
        Ok(holds.get())
    }

    /// Notes that the session has ended, in each run that it works on.
    pub(super) async fn end(&self, warnings: &mut Warnings) -> Result<(), Error> {
        let all = self.unfinished().await?;
        for (target, read) in &all {
            let sessions = read.as_ref().map_or("", RunSummary::sessions);
            if agents::works_on(sessions, &self.session.id) {
                self.leave(target, warnings).await?;
            }
        }
        Ok(())
    }

    /// Notes that the session does not work on this checkpoint any more.
    pub(super) async fn leave(
        &self,
        target: &Target,
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        let id = self.session.id.as_str();
        let store = self.store(target).await?;
        let moment = store.moment(warnings).await?;
        let mut decide = |current: &Current<'_>| {
            store.expect_own_current(current)?;
            let Some(document) = current.document else {
                return Ok(Change::Keep);
            };
            let mut draft = Draft::from(document.stamped());
            agents::end(&mut draft, id, &moment.now);
            let moment = Moment {
                now: moment.now.clone(),
                head: Head::Unreadable(String::new()),
            };
            store.sign(&moment, draft, current, &[&document.object])
        };
        store
            .update(None, &mut decide, &moment.head, warnings)
            .await?;
        Ok(())
    }

    pub(super) async fn now_ms(&self) -> Result<f64, Error> {
        Ok(self.io.now().await?.wall_ms)
    }
}
