//! The runs, tasks and threads of a database as files, for a viewer of files.

use crate::effect::Io;
use crate::error::Error;
use crate::git::folder::is_absolute;
use crate::root::{self, Root};
use crate::store::{Folder, Mirror, Storage};

/// Brings the files of a folder up to what the records of a state folder are.
///
/// # Errors
///
/// [`Error::usage`] where state is no records, or the folder is not absolute; [`Error::io`].
pub(super) async fn mirrored(io: &Io, root: &Root, from: &Folder, to: &str) -> Result<(), Error> {
    if from.storage() != Storage::Records || !is_absolute(to) {
        let message = "Expected a place in records, and an absolute folder in `mirror`";
        return Err(Error::usage(message.to_owned()));
    }
    let to = Folder::new(root.path(), Some(to), "")?;
    for inner in [root::TASKS, root::THREADS] {
        let mirror = Mirror::new(io, from.below(inner), to.below(inner));
        mirror.documents_with_parts().await?;
    }
    Mirror::new(io, from.clone(), to).documents().await?;
    Ok(())
}
