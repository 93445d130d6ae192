//! Scans everything that the checks classify. Nothing is changed but what the trial of the file
//! system makes and removes.

mod aside;
mod closed;
mod documents;
mod folder;
mod hooks;
mod names;
mod registers;
mod secrets;
mod sessions;
mod side_folders;
mod tasks;
mod threads;
mod trial;
mod unread;

use crate::effect::Io;
use crate::error::Error;
use crate::root::{self, Root};
use crate::store::StoreFolder;

pub(super) use closed::closed;

use super::facts::{DoctorInput, FolderAccess, InitialFacts, Inside, StateFolderFacts};

/// The trial of the file system: made or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrialMode {
    /// In a folder of its own, and with one file in the folder of the documents.
    Made,
    /// Nothing is written.
    LeftOut,
}

/// Looks at what stays: the repository, the way to the folder, and, unless that is left out, the file system.
///
/// # Errors
///
/// [`Error::io`] when the host cannot look.
pub(super) async fn start(
    io: &Io,
    root: &Root,
    folder: &StoreFolder,
    trial: TrialMode,
) -> Result<InitialFacts, Error> {
    let head = root::head(io, root).await;
    let access = match folder::inspect(io, folder).await? {
        Ok(state_folder) => {
            let tried = match trial {
                TrialMode::Made => Some(trial::try_out(io, folder, state_folder.has_side).await),
                TrialMode::LeftOut => None,
            };
            FolderAccess::Open(state_folder, tried)
        }
        Err(access) => access,
    };
    Ok(InitialFacts { head, access })
}

/// One look at everything in the folder.
pub(super) async fn scan<'a>(
    io: &Io,
    root: &Root,
    folder: &'a StoreFolder,
    known: &DoctorInput<'a>,
    start: &'a InitialFacts,
) -> StateFolderFacts<'a> {
    // Where the settings cannot be read, there are the seven.
    let (added, wrong_settings) = match known.added {
        Ok(added) => (added.as_slice(), None),
        Err(error) => (&[][..], Some(error)),
    };
    let closed = closed(io, folder, known.sessions).await;
    let mut secrets = Vec::new();
    let mut unread_sessions = Vec::new();
    let mut asides = Vec::new();
    for one in known.sessions {
        sessions::scan(io, one, &mut unread_sessions, &mut secrets).await;
        aside::scan(io, root, folder, one, &mut asides).await;
    }
    let mut registers = registers::documents(io, folder, known.sessions).await;
    let mut inside = None;
    if let FolderAccess::Open(state_folder, _) = &start.access {
        registers::records(io, folder, &mut registers).await;
        let mut found = Inside::default();
        if state_folder.has_side {
            found.ignore = folder::ignore(io, folder).await;
        }
        found.tracked = folder::tracked(io, root, folder).await;
        documents::scan(io, folder, added, &mut found, &mut secrets).await;
        if state_folder.has_side {
            side_folders::scan(io, folder, added, &mut found).await;
        }
        tasks::scan(io, &root::tasks_folder(folder), &mut found).await;
        found.threads = threads::scan(io, &root::threads_folder(folder)).await;
        inside = Some(found);
    }
    // Where it cannot be read, nothing can be trusted to be later than anything.
    let clock = io.clock().await;
    StateFolderFacts {
        folder,
        start,
        inside,
        closed,
        secrets,
        unread_sessions,
        asides,
        registers,
        hooks: hooks::scan(io, root, known).await,
        wrong_settings,
        now_ms: clock.map_or(f64::NAN, |clock| clock.wall_ms),
    }
}
