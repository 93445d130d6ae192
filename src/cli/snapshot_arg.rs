//! The arguments that name a snapshot.

use clap::Args;

use crate::checkpoint::session::id::SnapshotId;
use crate::error::Error;
use crate::operation::session::load::SnapshotSelector;

use super::spelling::one_value;

/// The arguments that name one snapshot, or leave it to the store.
#[derive(Args, Debug)]
#[group(required = true)]
pub(super) struct SnapshotArg {
    /// The id, such as chk-20250126-103000
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Another way to give ID
    #[arg(long = "id", value_name = "ID")]
    named_id: Option<String>,
    /// The newest snapshot, except archived ones and those a restore made
    #[arg(long, conflicts_with_all = ["id", "named_id"])]
    latest: bool,
}

impl SnapshotArg {
    /// Returns the snapshot that is meant.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for two ids; [`Error::invalid_name`] for an id that is not one.
    pub(super) fn selector(&self) -> Result<SnapshotSelector, Error> {
        let id = one_value("id", [self.id.as_deref(), self.named_id.as_deref()])?;
        SnapshotSelector::new(id, self.latest)
    }
}

/// The arguments that name a snapshot by its id, or none.
#[derive(Args, Debug)]
pub(super) struct SnapshotIdArg {
    /// The id, such as chk-20250126-103000
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Another way to give ID
    #[arg(long = "id", value_name = "ID")]
    named_id: Option<String>,
}

impl SnapshotIdArg {
    /// Returns the id; `None` where none is given.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for two ids; [`Error::invalid_name`] for an id that is not one.
    pub(super) fn id(&self) -> Result<Option<SnapshotId>, Error> {
        let id = one_value("id", [self.id.as_deref(), self.named_id.as_deref()])?;
        id.map(str::parse).transpose()
    }

    /// Returns the id, which has to be given.
    ///
    /// # Errors
    ///
    /// The errors of [`SnapshotIdArg::id`]; [`Error::usage`] where none is given.
    pub(super) fn required(&self) -> Result<SnapshotId, Error> {
        let id = self.id()?;
        id.ok_or_else(|| {
            Error::usage("Expected the id of a snapshot, such as chk-20250126-103000".to_owned())
        })
    }
}
