//! What a restore begins with: the checkpoint that brings back what is there.

use crate::checkpoint::session::id::Id;
use crate::checkpoint::session::plan::change::Act;
use crate::checkpoint::session::plan::fact::{Content, Present, Standing};
use crate::checkpoint::session::plan::restore::{Consent, Plan};
use crate::checkpoint::session::reason::Reason;
use crate::checkpoint::session::register;
use crate::checkpoint::session::snapshot::{LeftOut, Snapshot};
use crate::effect::boxed;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::keys::{Keyed, Keys};
use crate::operation::reply::Noticed;

use super::compared::Compared;
use super::create::create_at;
use super::limits::Limits;
use super::opened::{Opened, Session};
use super::plan::not_kept;
use super::request::{Create, Files};
use super::state::Earlier;

/// A restore that is about to touch something.
pub(super) struct Beginning<'a> {
    pub(super) id: Id,
    /// What one that did not end began with.
    pub(super) begun: Option<&'a Session>,
    pub(super) consent: Consent<'a>,
    pub(super) plan: &'a Plan<'a>,
    pub(super) state: Option<&'a Earlier>,
    pub(super) limits: &'a Limits,
}

impl Beginning<'_> {
    /// Makes the checkpoint that brings back what is there, and notes that a restore begins. Where one died in
    /// the middle, and nobody has changed since what is still to be done, that one's does.
    pub(super) async fn undo(
        &self,
        opened: &Opened<'_>,
        compared: &Compared,
        present: &[Present<'_>],
        noticed: &mut Noticed,
    ) -> Result<Id, Error> {
        let id = self.id;
        let mut message = format!("Before the restore of {id}");
        if let Some(begun) = self.begun {
            if self.goes_on_from(begun, compared, present) {
                return Ok(begun.known.id);
            }
            let earlier = begun.known.id;
            message = format!("{message}, in the middle of one that began with {earlier}");
        }
        let create = Create {
            reason: Reason::UserRequested,
            message: Some(&message),
            given: Object::new(),
            target: self.state.and_then(Earlier::present).cloned(),
            files: Files::Kept(Vec::new()),
            undo_of: Some(id),
            made_by: None,
        };
        let standing: Keys<'_> = present.iter().map(|it| it.path).collect();
        let written = self.plan.changes.iter().map(|it| it.path);
        let absent: Vec<&str> = written.filter(|it| !standing.contains(it)).collect();
        let (made, _) = boxed(create_at(opened, create, &absent, self.limits, noticed)).await?;
        if made.files.is_none() {
            return Err(Error::conflict(
                "What is there could not be kept, so that nothing was touched".to_owned(),
                Vec::new(),
            ));
        }
        self.check_kept(&made.left_out, present)?;
        let undo = made.id;
        let mut began = |register: &Object| {
            // Neither was in use so far: whoever cleaned up meanwhile may have taken it.
            let mut both = [id, undo].into_iter();
            match both.find(|it| register::is_removed(register, *it)) {
                Some(gone) => Err(Error::conflict(
                    format!("{gone} was removed meanwhile, and nothing was touched"),
                    Vec::new(),
                )),
                None => Ok(Some(register::with_restore(register, id, undo))),
            }
        };
        boxed(super::register::commit(opened, &mut began)).await?;
        Ok(undo)
    }

    /// Whether what is to be touched is as an earlier restore found it.
    fn goes_on_from(&self, begun: &Session, compared: &Compared, present: &[Present<'_>]) -> bool {
        let head = begun.document.get("head_commit").and_then(Json::as_str);
        let Some(snapshot) = Snapshot::of(&begun.document) else {
            return false;
        };
        let unkept = snapshot.unkept();
        let files = snapshot.files.iter();
        let files: Keyed<'_, Option<&Content>> = files
            .map(|it| (it.path.as_str(), it.content.as_ref()))
            .collect();
        let present: Keyed<'_, &Standing<'_>> =
            present.iter().map(|it| (it.path, &it.standing)).collect();
        let is_as_found = |path: &str| {
            let now = match present.get(path) {
                Some(Standing::Content(content)) => Some(content),
                _ => None,
            };
            match files.get(path) {
                Some(Some(found)) => now.is_some_and(|now| now.is_same(found)),
                Some(None) => now.is_none(),
                // Somebody has agreed to lose it.
                None if unkept.above(path).is_some() => true,
                // It was as in HEAD.
                None => !compared.differs(path),
            }
        };
        head == compared.heads().present
            && self.plan.changes.iter().all(|it| is_as_found(it.path))
            && self.state.is_none_or(|it| it.is_kept_in(&begun.document))
    }

    /// Refuses to touch what the undo has left out after all: all of it is too much, or somebody has
    /// changed it since the plan was made.
    fn check_kept(&self, left_out: &[LeftOut], present: &[Present<'_>]) -> Result<(), Error> {
        let Consent::Paths(agreed) = self.consent else {
            return Ok(());
        };
        let stands: Keys<'_> = present.iter().map(|it| it.path).collect();
        // A change of mode loses no content.
        let touched = self.plan.changes.iter();
        let touched = touched.filter(|it| !matches!(it.act, Act::SetMode(_)));
        let touched = touched.map(|it| it.path);
        let touched: Keys<'_> = touched
            .filter(|it| stands.contains(it) && !agreed.contains(it))
            .collect();
        let lost = left_out.iter().find(|it| touched.contains(&it.path));
        match lost {
            None => Ok(()),
            Some(LeftOut { path, reason }) => Err(Error::conflict(
                format!("Nothing was touched: {}", not_kept(path, reason)),
                Vec::new(),
            )),
        }
    }
}
