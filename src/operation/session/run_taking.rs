//! The run that goes back with the files of a rewind, or stays.

use crate::error::{Error, WarningCode};
use crate::operation::Warnings;

use super::moments::TurnMoment;
use super::rewound::{Rewound, position};
use super::snapshot_store::SnapshotStore;
use super::state::Earlier;

/// The run of a rewind.
pub(super) struct RunTaking<'a> {
    pub(super) store: &'a SnapshotStore<'a>,
    pub(super) all: &'a [TurnMoment],
    /// Set where what other sessions changed is taken back as well.
    pub(super) is_of_all: bool,
}

impl RunTaking<'_> {
    /// Returns whether the run may go back. Where another session worked on it since, it stays, and is named.
    pub(super) async fn is_allowed(
        &self,
        rewound: Rewound,
        warnings: &mut Warnings,
    ) -> Result<bool, Error> {
        match rewound {
            Rewound::Since(at) => self.since(&self.all[at], warnings).await,
            Rewound::Of { before, .. } => self.undone(before, warnings).await,
        }
    }

    async fn since(&self, target: &TurnMoment, warnings: &mut Warnings) -> Result<bool, Error> {
        let Some(mark) = target.prompt().filter(|_| !self.is_of_all) else {
            return Ok(true);
        };
        let quiet = &mut Warnings::default();
        let earlier = Earlier::find(self.store, &target.stored.document, quiet).await?;
        let Some(earlier) = earlier.filter(|it| it.is_of_others(&mark.session)) else {
            return Ok(true);
        };
        let title = earlier.title();
        let message = format!("The run of {title} stays: another session has worked on it since");
        warnings.warn(WarningCode::HeldBack, message);
        Ok(false)
    }

    /// The run of a rewind that is undone goes back only as the rewind left it.
    async fn undone(&self, before: usize, warnings: &mut Warnings) -> Result<bool, Error> {
        let before = &self.all[before];
        let quiet = &mut Warnings::default();
        let present = Earlier::find(self.store, &before.stored.document, quiet).await?;
        let Some(present) = present else {
            return Ok(true);
        };
        let target = before.undo_of().and_then(|it| position(self.all, it));
        let target = target.map(|it| &self.all[it].stored.document);
        if let Some(target) = target
            && present.is_as_in(self.store, target).await?
        {
            return Ok(true);
        }
        let title = present.title();
        let message = format!("The run of {title} stays: it is not as the rewind left it");
        warnings.warn(WarningCode::HeldBack, message);
        Ok(false)
    }
}
