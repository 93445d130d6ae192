//! The files as they were before a prompt: what the agent changed since is taken back, and nothing else.

use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::turns::{Occasion, PathOwner};
use crate::effect::{Io, boxed};
use crate::error::{Error, Warning};
use crate::git::head::short;
use crate::json::Json;
use crate::operation::reply::{Warnings, with_warnings};
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::store::objects::Depth;
use crate::worktree::report::UnscannedReason;

use super::compared::{CommitScope, SnapshotComparison};
use super::limits::limits_of;
use super::list_prompts::meant;
use super::moments::{TurnMoment, branch_here, moments};
use super::notes::warn_of_filters;
use super::path_owners::{NOT_TOUCHED, PathStates, owners, why_kept};
use super::plan::PlanReport;
use super::plan_diff::plan_diff;
use super::record_moment::record_rewind;
use super::request::{RewindMark, TurnMark};
use super::restore::{
    FileRestoreRequest, RestoredSnapshot, TakenPaths, beyond_undo, bring_back_compared,
};
use super::rewound::{Rewound, died_rewind, is_in, last_rewind, position, resolved};
use super::run_taking::RunTaking;
use super::snapshot_store::SnapshotStore;
use super::unfinished::settle_asides;

pub(super) const OPERATION: Operation = Operation::changing::<RewindArguments, RewoundFiles>(
    "rewind",
    "Takes back what an agent changed since a prompt, in the worktree alone.",
    perform,
)
.of(Capability::Rewinds);

/// The prompt, and what is taken back.
#[derive(ArgumentMembers)]
struct RewindArguments<'a> {
    /// The prompt: its number in the list of prompts, its id, or a part of its text.
    to: Option<&'a str>,
    /// Take back the last rewind instead; done again, it is done again.
    undo: bool,
    /// Only these files and folders.
    #[shape(optional)]
    files: Vec<&'a str>,
    /// Also what other sessions changed since.
    all: bool,
    /// Files and folders that are taken back regardless of who changed them.
    #[shape(optional)]
    lose: Vec<&'a str>,
    /// Only makes the plan.
    dry_run: bool,
    /// Carry out only the plan with this id.
    plan: Option<&'a str>,
    /// Take the run back as well; by default true, unless files are named.
    state: Option<bool>,
    /// Leave the files as they are.
    state_only: bool,
}

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let arguments: RewindArguments<'_> = arguments.read();
        let target = match (arguments.to, arguments.undo) {
            (Some(to), false) => RewindTarget::Prompt(to),
            (None, true) => RewindTarget::LastRewind,
            _ => {
                let message = "Expected either the prompt to go back to or `undo`".to_owned();
                return Warnings::default().reply(Err(Error::usage(message)));
            }
        };
        let with_state = arguments.state.unwrap_or(arguments.files.is_empty());
        let request = RewindRequest {
            target,
            files: arguments.files,
            is_of_all: arguments.all,
            lose: arguments.lose,
            is_dry_run: arguments.dry_run,
            plan: arguments.plan,
            with_state,
            with_files: !arguments.state_only,
            with_diff: false,
        };
        rewind(io, settings, request).await.map(Json::from)
    })
}

/// The moment to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewindTarget<'a> {
    /// Before the prompt that these words mean.
    Prompt(&'a str),
    /// Before the last rewind.
    LastRewind,
}

/// The request for a rewind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewindRequest<'a> {
    /// The moment to go to.
    pub target: RewindTarget<'a>,
    /// Only these files and folders; all, if it is empty.
    pub files: Vec<&'a str>,
    /// Set where what other sessions changed is taken back as well.
    pub is_of_all: bool,
    /// Files and folders that are taken back in any case.
    pub lose: Vec<&'a str>,
    /// Set where only the plan is made.
    pub is_dry_run: bool,
    /// The id of the only plan that is carried out.
    pub plan: Option<&'a str>,
    /// True if the run is taken back as well.
    pub with_state: bool,
    /// True if files are taken back.
    pub with_files: bool,
    /// True if the differences that the plan makes are to be shown.
    pub with_diff: bool,
}

/// The rewind.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "RewoundFiles")]
pub struct RewoundFiles {
    /// The id of the snapshot whose files are back.
    pub id: SnapshotId,
    /// The beginning of the prompt; null where a rewind is undone.
    pub prompt: Option<String>,
    /// The session whose changes are taken back.
    pub session: Option<String>,
    /// The commits that stay, where another one is checked out than then, such as `1a2b3c4..5d6e7f8`, or `up to 5d6e7f8`
    /// where there was none.
    pub commits: Option<String>,
    /// The paths that would be touched, or were, and those that stay.
    pub plan: Option<PlanReport>,
    /// True if every file of the plan is back.
    #[shape(name = "restored")]
    pub is_restored: bool,
    /// The snapshot of what was there, which `undo` brings back; null where nothing was touched.
    pub undo: Option<SnapshotId>,
    /// The differences that the plan makes, where they were asked for.
    #[shape(skip)]
    pub diff: String,
}

/// Takes back what the session of a prompt changed since; or takes back the last rewind.
///
/// The agent's changes are those between a prompt and the end of its turn. What a person changed, what two
/// turns changed at the same time, and what changed in a turn without an end, stays and is named. Files go back in the
/// worktree alone: neither the index nor HEAD changes.
/// Before that a snapshot is made of what is there. Fails with `not_found` for a prompt that was not kept, with `usage`
/// where the plan is refused, with `conflict` where it is not the one that was asked for, and as a restore does.
pub async fn rewind(
    io: &Io,
    settings: &Settings,
    request: RewindRequest<'_>,
) -> Reply<RewoundFiles> {
    with_warnings(async |warnings| {
        let store = SnapshotStore::of_prompts(io, settings).await?;
        let files = resolved(&store, &request.files, warnings).await?;
        let lose = resolved(&store, &request.lose, warnings).await?;
        let all = moments(&store, warnings).await?;
        let branch = branch_here(&store).await;
        let branch = branch.as_deref();
        let rewinding = |rewound: Rewound| Rewinding {
            store: &store,
            all: &all,
            request: &request,
            files: &files,
            lose: &lose,
            branch,
            rewound,
        };
        if let RewindTarget::Prompt(words) = request.target {
            let rewound = Rewound::Since(meant(&all, branch, words)?);
            return boxed(rewinding(rewound).perform(warnings)).await;
        }
        let done = last_rewind(&all, branch);
        if let Some(died) = died_rewind(&all, branch) {
            let undone = boxed(rewinding(died).perform(warnings)).await?;
            let plan = undone.plan.as_ref();
            let is_any = plan.is_some_and(|it| !it.changes.is_empty());
            // One that failed before its first step has nothing to undo.
            if is_any || done.is_err() {
                return Ok(undone);
            }
        }
        boxed(rewinding(done?).perform(warnings)).await
    })
    .await
}

struct Rewinding<'a> {
    store: &'a SnapshotStore<'a>,
    all: &'a [TurnMoment],
    request: &'a RewindRequest<'a>,
    files: &'a [String],
    lose: &'a [String],
    branch: Option<&'a str>,
    rewound: Rewound,
}

impl<'a> Rewinding<'a> {
    async fn perform(&self, warnings: &mut Warnings) -> Result<RewoundFiles, Error> {
        let store = self.store;
        if !self.request.is_dry_run {
            boxed(settle_asides(store, warnings)).await?;
        }
        let limits = limits_of(store, warnings).await;
        let (target, mark) = self.target();
        let session = &target.stored;
        let Some(document) = target.full_document() else {
            return Err(Error::not_found(format!(
                "The files before this prompt were not all kept ({})",
                target.id()
            )));
        };
        let depth = (Depth::Bytes, CommitScope::Any);
        let compared = SnapshotComparison::new(store, &document, &limits, depth);
        let compared = boxed(compared).await?;
        warn_of_filters(&compared.notes, warnings);
        let (mut paths, sessions) = self.paths(&compared, mark).await;
        for (path, why) in beyond_undo(store, &limits, &compared, &paths).await? {
            paths.taken.remove(&path);
            paths
                .kept
                .insert(path, format!("{why}, and could not be brought back"));
        }
        let (then, now) = (target.head(), compared.heads().present);
        let commits = match (then, now) {
            (Some(then), Some(now)) if then != now => {
                Some(format!("{}..{}", short(then), short(now)))
            }
            (None, Some(now)) => Some(format!("up to {}", short(now))),
            _ => None,
        };
        let mut restored = RestoredSnapshot {
            id: target.id(),
            resume: String::new(),
            can_resume: false,
            plan: None,
            is_restored: false,
            undo: None,
        };
        let request = FileRestoreRequest {
            is_dry_run: self.request.is_dry_run,
            plan: self.request.plan,
            // No file is given up that an undo could not bring back.
            lose: Vec::new(),
            is_forced: false,
            with_state: self.request.with_state && self.may_take_run(warnings).await?,
        };
        let restoring = bring_back_compared(
            store,
            session,
            (&*compared, Some(&paths)),
            (&request, &limits),
            warnings,
            &mut restored,
        );
        boxed(restoring).await?;
        self.note(mark, &restored, sessions, warnings).await;
        let diff = match &restored.plan {
            Some(plan) if self.request.with_diff => plan_diff(store, &compared, plan).await?,
            _ => String::new(),
        };
        Ok(RewoundFiles {
            id: restored.id,
            prompt: match self.rewound {
                Rewound::Since(_) => mark.and_then(|it| it.prompt.clone()),
                Rewound::Of { .. } => None,
            },
            session: mark.map(|it| it.session.clone()),
            commits,
            plan: restored.plan,
            is_restored: restored.is_restored,
            undo: restored.undo,
            diff,
        })
    }

    /// The moment whose files are to be back, and the mark of the prompt or rewind.
    fn target(&self) -> (&'a TurnMoment, Option<&'a TurnMark>) {
        match self.rewound {
            Rewound::Since(at) => (&self.all[at], self.all[at].mark.as_ref()),
            Rewound::Of { before, after } => {
                let before = &self.all[before];
                let marked = after.or_else(|| position(self.all, before.undo_of()?));
                (before, marked.and_then(|it| self.all[it].mark.as_ref()))
            }
        }
    }

    /// Returns whether the run goes back as well.
    async fn may_take_run(&self, warnings: &mut Warnings) -> Result<bool, Error> {
        let run = RunTaking {
            store: self.store,
            all: self.all,
            is_of_all: self.request.is_of_all,
        };
        boxed(run.is_allowed(self.rewound, warnings)).await
    }

    /// The paths that differ: those that are taken back, and those that stay with the reason; and the other sessions
    /// whose changes are among the former.
    async fn paths(
        &self,
        compared: &SnapshotComparison,
        mark: Option<&TurnMark>,
    ) -> (TakenPaths, Vec<String>) {
        let mut result = TakenPaths::default();
        if !self.request.with_files {
            return (result, Vec::new());
        }
        let recorded = compared.recorded();
        let paths = recorded.iter().map(|it| it.path);
        let paths: Vec<&str> = paths
            .filter(|it| self.files.is_empty() || is_in(self.files, it))
            .collect();
        let head = compared.heads().present;
        let rewind = mark.and_then(|it| it.rewind.as_ref());
        let (from, target) = match self.rewound {
            Rewound::Since(at) => (at, None),
            Rewound::Of { before, .. } => {
                let target = self.all[before].undo_of();
                let target = target.and_then(|it| position(self.all, it));
                (target.unwrap_or(before).min(before), target)
            }
        };
        let moments = &self.all[from..];
        let paths = match self.rewound {
            Rewound::Since(_) => self.changed_since(compared, from, paths).await,
            Rewound::Of { .. } => paths,
        };
        let states = PathStates::new(self.store.io, compared, moments, head, &paths).await;
        let session = mark.map_or("", |it| it.session.as_str());
        let mut others = rewind.map_or_else(Vec::new, |it| it.sessions.clone());
        let mut agents: Vec<Vec<&str>> = Vec::new();
        let reasons: Vec<Option<String>> = match self.rewound {
            Rewound::Since(at) => {
                let owners = owners(&states, self.all, at);
                agents = owners.iter().map(PathOwner::sessions).collect();
                let is_of_all = self.request.is_of_all;
                let reasons = owners.iter().map(|it| why_kept(it, session, is_of_all));
                reasons.collect()
            }
            Rewound::Of { before, after } => {
                let touched = rewind.map_or(&[][..], |it| it.paths.as_slice());
                let at_target = target.map(|it| states.at(&self.all[it]));
                let before = states.at(&self.all[before]);
                let now = states.present();
                let then = match after {
                    Some(after) => states.at(&self.all[after]),
                    None => now.to_vec(),
                };
                // Also what was done before the rewind died and was finished by another one.
                let is_done = |at: usize| {
                    let target = at_target.as_ref().and_then(|it| it[at].as_ref());
                    target.is_some() && then[at].as_ref() == target && before[at] != then[at]
                };
                let is_touched =
                    |at: usize, path: &str| touched.iter().any(|it| it == path) || is_done(at);
                let reason = |(at, path): (usize, &&str)| match () {
                    () if !is_touched(at, path) => Some(NOT_TOUCHED.to_owned()),
                    () if then[at].is_some() && then[at] == now[at] => None,
                    () => Some("was changed after the rewind".to_owned()),
                };
                paths.iter().enumerate().map(reason).collect()
            }
        };
        for (at, (path, reason)) in paths.iter().zip(reasons).enumerate() {
            // No undo could bring it back.
            if compared.is_excluded(path) {
                if reason.as_deref() != Some(NOT_TOUCHED) {
                    let why = UnscannedReason::Excluded.as_str();
                    result.kept.insert((*path).to_owned(), why.to_owned());
                }
                continue;
            }
            match reason {
                Some(reason) if !is_in(self.lose, path) => {
                    if reason != NOT_TOUCHED {
                        result.kept.insert((*path).to_owned(), reason);
                    }
                }
                _ => {
                    result.taken.insert((*path).to_owned());
                    let of_path = agents.get(at).into_iter().flatten();
                    others.extend(of_path.map(|it| (*it).to_owned()));
                }
            }
        }
        others.retain(|it| it != session);
        others.sort_unstable();
        others.dedup();
        (result, others)
    }

    /// Those of the paths whose state is another one now than at a moment, or unknown: most are not.
    async fn changed_since<'p>(
        &self,
        compared: &SnapshotComparison,
        from: usize,
        paths: Vec<&'p str>,
    ) -> Vec<&'p str> {
        let moments = &self.all[from..=from];
        let head = compared.heads().present;
        let states = PathStates::new(self.store.io, compared, moments, head, &paths).await;
        let (then, now) = (states.at(&moments[0]), states.present());
        let both = then.iter().zip(now).zip(&paths);
        let changed = both.filter(|((then, now), _)| then.is_none() || then != now);
        changed.map(|(_, path)| *path).collect()
    }

    /// Keeps the moment after the rewind, so that it can be undone, and so that no person is taken for its author.
    async fn note(
        &self,
        mark: Option<&TurnMark>,
        restored: &RestoredSnapshot,
        sessions: Vec<String>,
        warnings: &mut Warnings,
    ) {
        // One that died after its last step has noted nothing.
        let last = self
            .all
            .last()
            .filter(|it| it.undo_of() == Some(restored.id));
        let undo = restored.undo.or_else(|| Some(last?.id()));
        let (Some(mark), Some(undo), Some(plan)) = (mark, undo, &restored.plan) else {
            return;
        };
        if !restored.is_restored {
            return;
        }
        let rewind = RewindMark {
            to: restored.id,
            undo,
            paths: plan.changes.iter().map(|(path, ..)| path.clone()).collect(),
            sessions,
        };
        let mark = TurnMark {
            occasion: Occasion::Rewind,
            // That of a prompt that is named by its id may be another one.
            branch: self.branch.map(str::to_owned),
            prompt: match self.rewound {
                Rewound::Since(_) => mark.prompt.clone(),
                Rewound::Of { .. } if mark.prompt.is_some() => None,
                Rewound::Of { after, .. } => self.undone_prompt(after.unwrap_or_default()),
            },
            wrote: Vec::new(),
            is_continued: false,
            given_up: Vec::new(),
            rewind: Some(rewind),
            ..mark.clone()
        };
        if let Err(error) = boxed(record_rewind(self.store, mark, warnings)).await {
            warnings.add(Warning::passed_over(&error));
        }
    }

    /// The prompt of the last rewind before a moment: where that took a rewind back, it is at this prompt again.
    fn undone_prompt(&self, before: usize) -> Option<String> {
        let marks = self.all[..before]
            .iter()
            .rev()
            .filter_map(|it| it.mark.as_ref());
        let mut rewinds = marks.filter(|it| it.rewind.is_some());
        rewinds.find_map(|it| it.prompt.clone())
    }
}
