//! The calls of Windows, by the standard library. Windows has no modes, syncs no folder, and refuses for a moment what
//! another process has open; the faults are those of the adapter of Node.

mod entry;
mod fault;
mod files;
mod names;
mod other;
mod streams;

pub(super) use entry::{ascend, each_name, kind_of_failure, look};
pub(super) use fault::{SystemError, failed, failed as io_failed};
pub(super) use files::{create_new, open_addition, open_existing, read_at, status, sync_folder};
pub(super) use names::{
    link, make_folder, read_link, remove, remove_folder, rename, restrict, set_mode, symlink,
};
pub(super) use other::{
    PROGRAM_FOLDERS, columns, ended, is_executable, random, shell, start_apart,
};
pub(super) use streams::{ThreadPieces as Pieces, print, standard_input};
