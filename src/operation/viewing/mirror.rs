//! The runs, tasks and threads of a database as files, for a viewer of files.

use crate::effect::Io;
use crate::error::{Error, WarningCode};
use crate::git::folder::is_absolute;
use crate::operation::Warnings;
use crate::root::{self, Root};
use crate::store::{MAX_NAMES, Mirror, Storage, StoreFolder};

/// Brings the files of a folder up to what the records of a state folder are. Warns `too_large` of a run, task or
/// thread that has too many entries.
///
/// # Errors
///
/// [`Error::usage`] where state is no records, or the folder is not absolute; [`Error::io`].
pub(super) async fn mirrored(
    io: &Io,
    root: &Root,
    from: &StoreFolder,
    to: &str,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    if from.storage() != Storage::Records || !is_absolute(to) {
        let message = "Expected a place in records, and an absolute folder in `mirror`";
        return Err(Error::usage(message.to_owned()));
    }
    let to = StoreFolder::new(root.path(), Some(to), "")?;
    let mut crowded = Vec::new();
    for inner in [root::TASKS, root::THREADS] {
        let mirror = Mirror::new(io, from.below(inner), to.below(inner));
        mirror.documents_with_parts(&mut crowded).await?;
    }
    let mirror = Mirror::new(io, from.clone(), to);
    mirror.documents(&mut crowded).await?;
    for path in crowded {
        let message = format!(
            "{path} holds more than {MAX_NAMES} entries; the viewer shows what it showed of it before"
        );
        warnings.warn(WarningCode::TooLarge, message);
    }
    Ok(())
}
