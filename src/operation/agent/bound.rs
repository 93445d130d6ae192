//! The checkpoint that an agent's session works on, and how an event changes it.

use std::cell::Cell;

use crate::agent::{self, Agent, Payload, Written};
use crate::checkpoint::command::agents;
use crate::checkpoint::command::document::{Checkpoint, Draft, is_completed};
use crate::digest::digest;
use crate::effect::Io;
use crate::error::Error;
use crate::git::folder::is_absolute;
use crate::json::Object;
use crate::operation::command::latest::first;
use crate::operation::command::list::{Read, Wanted, read_all};
use crate::operation::command::opened::Opened;
use crate::operation::command::summary::Summary;
use crate::operation::{Noticed, Settings, Target};
use crate::root::{self, Root};
use crate::store::{Change, Current};
use crate::time;

/// The ids of agents are short; a longer one is none of theirs, and would fill the document.
const LONGEST_ID: usize = 80;

/// A session, by the names under which it is kept.
pub(super) struct Session {
    pub(super) agent: Agent,
    pub(super) id: String,
}

impl Session {
    /// From the id that the agent gave. One that is more than letters, digits and such is kept as its digest.
    pub(super) fn new(agent: Agent, id: &str) -> Self {
        let is_plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.');
        let is_plain = id.len() <= LONGEST_ID && id.bytes().all(is_plain);
        Session {
            agent,
            id: match is_plain {
                true => id.to_owned(),
                false => digest(&[id.as_bytes()]),
            },
        }
    }

    fn named(&self) -> agents::Session<'_> {
        agents::Session {
            agent: self.agent.name(),
            id: &self.id,
        }
    }
}

/// Where an event happened.
pub(super) struct Folders {
    /// The settings of the operation, which works in the project.
    pub(super) settings: Settings,
    /// The project, as the agent says it.
    project: String,
    /// The folder that relative paths begin in.
    working: String,
}

impl Folders {
    /// The project is the folder that the agent's environment names, else the one that the event does. A
    /// host that sees the project as its own working folder stays there.
    pub(super) fn new(settings: &Settings, project: Option<&str>, payload: &Payload<'_>) -> Self {
        let project = project.filter(|it| !it.is_empty()).or(payload.folder);
        let mut folders = Folders::of_project(settings, project);
        if let Some(folder) = payload.folder {
            folder.clone_into(&mut folders.working);
        }
        folders
    }

    /// The same where nothing is said but the project.
    pub(super) fn of_project(settings: &Settings, project: Option<&str>) -> Self {
        let project = project.unwrap_or(&settings.working).to_owned();
        let mut settings = settings.clone();
        if is_absolute(&settings.working) && is_absolute(&project) {
            settings.working.clone_from(&project);
        }
        Folders {
            settings,
            working: project.clone(),
            project,
        }
    }

    /// The files that lie below the root, each by its path from there. The program's own are none of them.
    pub(super) fn below(&self, root: &Root, files: &[Written]) -> Vec<(String, Option<bool>)> {
        let base = match is_absolute(root.path()) {
            true => root.path(),
            // The root is the folder that the host sees, which the agent calls the project.
            false => &self.project,
        };
        let below = files.iter().filter_map(|file| {
            let path = agent::below(base, &self.working, &file.path)?;
            let is_git = path == ".git" || path.starts_with(".git/");
            let is_state = path.starts_with(root::STATE_FOLDER);
            (!is_git && !is_state).then_some((path, file.is_new))
        });
        below.collect()
    }
}

/// A session at its project.
pub(super) struct Bound<'a> {
    pub(super) io: &'a Io,
    pub(super) settings: &'a Settings,
    pub(super) root: &'a Root,
    pub(super) session: &'a Session,
}

/// The checkpoint of a session, as it was read.
pub(super) struct Found {
    pub(super) target: Target,
    pub(super) object: Object,
}

/// What an event makes of a checkpoint: whether it changed anything. The second argument is the time.
pub(super) type Decide<'a> = dyn FnMut(&mut Draft, &str) -> Result<bool, Error> + 'a;

/// Whose checkpoint is changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Claim {
    /// The session works on it already; where it does not any more, nothing is changed.
    Own,
    /// It becomes the session's, unless it is complete, or another living session works on it.
    Free {
        /// So long a session lives after its last event.
        idle_ms: f64,
    },
    /// The same, and it is begun where there is none, or a complete one.
    Begun {
        /// So long a session lives after its last event.
        idle_ms: f64,
    },
    /// It becomes the session's, whoever else works on it; it is begun where there is none, or a complete
    /// one.
    Any,
}

impl Bound<'_> {
    /// Every unfinished checkpoint of the project.
    pub(super) async fn unfinished(&self) -> Result<Vec<Read>, Error> {
        let of = Some(self.session.id.as_str());
        read_all(self.io, self.settings, self.root, Wanted::Unfinished { of }).await
    }

    /// The one of these that the session works on.
    pub(super) fn own(&self, all: &[Read]) -> Option<Target> {
        first(all, |summary| {
            agents::works_on(summary.sessions(), &self.session.id)
        })
    }

    /// The one of these to carry on with: no other session lives that works on it.
    pub(super) fn free(&self, all: &[Read], now_ms: f64, idle_ms: f64) -> Option<Target> {
        let id = &self.session.id;
        first(all, |summary| {
            !agents::is_taken(summary.sessions(), id, now_ms, idle_ms)
        })
    }

    /// The checkpoint that the session works on, if there is one that is unfinished.
    pub(super) async fn found(&self) -> Result<Option<Found>, Error> {
        let mut all = self.unfinished().await?;
        let Some(target) = self.own(&all) else {
            return Ok(None);
        };
        let at = all.iter().position(|(other, _)| *other == target);
        let read = at.and_then(|at| all.swap_remove(at).1.ok());
        match read.and_then(Summary::into_object) {
            Some(object) => Ok(Some(Found { target, object })),
            None => self.read(target).await,
        }
    }

    async fn opened<'a>(&'a self, target: &'a Target) -> Result<Box<Opened<'a>>, Error> {
        Opened::at(self.io, self.settings, self.root.clone(), target).await
    }

    /// A checkpoint, unless it is complete or gone.
    pub(super) async fn read(&self, target: Target) -> Result<Option<Found>, Error> {
        let opened = self.opened(&target).await?;
        let object = opened.read().await?.document.map(|it| it.object);
        drop(opened);
        Ok(object
            .filter(|object| !is_completed(object))
            .map(|object| Found { target, object }))
    }

    /// Whether a file that no phase lists was not there before: git does not track it. Where there is no
    /// repository, as the agent says.
    pub(super) async fn is_new(&self, path: &str, said: Option<bool>) -> bool {
        match root::tracked(self.io, self.root, path).await {
            Ok(Some(is_tracked)) => !is_tracked,
            Ok(None) | Err(_) => said.unwrap_or(false),
        }
    }

    /// Changes the checkpoint that the session works on; nothing where there is none.
    pub(super) async fn change(
        &self,
        noticed: &mut Noticed,
        decide: &mut Decide<'_>,
    ) -> Result<bool, Error> {
        match self.found().await? {
            Some(found) => self.change_at(&found, noticed, decide).await,
            None => Ok(false),
        }
    }

    /// The same for one that was read: where nothing changes in it, nothing is asked for and written.
    pub(super) async fn change_at(
        &self,
        found: &Found,
        noticed: &mut Noticed,
        decide: &mut Decide<'_>,
    ) -> Result<bool, Error> {
        let now_ms = self.now_ms().await?;
        let mut draft = Draft::from(found.object.clone());
        let changes = decide(&mut draft, &time::format(now_ms))?;
        if !changes && !agents::is_due(&found.object, &self.session.id, now_ms) {
            return Ok(true);
        }
        self.commit(&found.target, Claim::Own, noticed, decide)
            .await
    }

    /// Commits what `decide` makes of a checkpoint, and that the session works on it. Returns whether the
    /// claim held.
    pub(super) async fn commit(
        &self,
        target: &Target,
        claim: Claim,
        noticed: &mut Noticed,
        decide: &mut Decide<'_>,
    ) -> Result<bool, Error> {
        let opened = self.opened(target).await?;
        if matches!(claim, Claim::Any | Claim::Begun { .. }) {
            opened.expect_known_place().await?;
        }
        let moment = opened.moment(noticed).await?;
        let now_ms = time::parse(&moment.now).map_or(0.0, time::Time::wall_ms);
        let id = self.session.id.as_str();
        let holds = Cell::new(false);
        let mut decide = |current: &Current<'_>| {
            opened.expect_own_current(current)?;
            holds.set(may(claim, current, id, now_ms));
            if !holds.get() {
                return Ok(Change::Keep);
            }
            let mut draft = match current.document {
                Some(document) => Draft::from(document.stamped()),
                None => {
                    let feature = target.feature.as_deref();
                    Checkpoint::new(&target.command, feature, &moment.now).into()
                }
            };
            let is_due = agents::is_due(draft.as_object(), id, now_ms);
            let changed = decide(&mut draft, &moment.now)?;
            if !changed && !is_due && current.document.is_some() {
                return Ok(Change::Keep);
            }
            if matches!(claim, Claim::Any | Claim::Begun { .. }) {
                draft.as_object_mut().remove("completed_at");
            }
            if is_due {
                agents::note(&mut draft, self.session.named(), &moment.now);
            }
            let stored = current.document.map(|document| &document.object);
            opened.sign(&moment, draft, current, stored.as_slice())
        };
        opened
            .update(None, &mut decide, &moment.head, noticed)
            .await?;
        Ok(holds.get())
    }

    /// Notes that the session has ended. Nothing depends on it.
    pub(super) async fn end(&self, noticed: &mut Noticed) -> Result<(), Error> {
        match self.found().await? {
            Some(found) => self.leave(&found.target, noticed).await,
            None => Ok(()),
        }
    }

    /// Notes that the session does not work on this checkpoint any more.
    pub(super) async fn leave(&self, target: &Target, noticed: &mut Noticed) -> Result<(), Error> {
        let id = self.session.id.as_str();
        let opened = self.opened(target).await?;
        let moment = opened.moment(noticed).await?;
        let mut decide = |current: &Current<'_>| {
            opened.expect_own_current(current)?;
            let Some(document) = current.document else {
                return Ok(Change::Keep);
            };
            let mut draft = Draft::from(document.stamped());
            agents::end(&mut draft, id, &moment.now);
            opened.sign(&moment, draft, current, &[&document.object])
        };
        opened
            .update(None, &mut decide, &moment.head, noticed)
            .await?;
        Ok(())
    }

    pub(super) async fn now_ms(&self) -> Result<f64, Error> {
        let clock = self.io.clock().await;
        let clock = clock.map_err(|failed| failed.cannot_do("read the clock"))?;
        Ok(clock.wall_ms)
    }
}

/// Whether the session may change what is stored.
fn may(claim: Claim, current: &Current<'_>, id: &str, now_ms: f64) -> bool {
    let Some(document) = current.document else {
        return matches!(claim, Claim::Any | Claim::Begun { .. });
    };
    let line = agents::line(&document.object).unwrap_or_default();
    let is_open = !is_completed(&document.object);
    let is_taken = |idle_ms| agents::is_taken(&line, id, now_ms, idle_ms);
    match claim {
        Claim::Any => true,
        Claim::Own => is_open && agents::works_on(&line, id),
        Claim::Free { idle_ms } => is_open && !is_taken(idle_ms),
        Claim::Begun { idle_ms } => !is_open || !is_taken(idle_ms),
    }
}
