//! The calls of Unix, by `rustix` and the standard library.

mod entry;
mod fault;
mod files;
mod modes;
mod names;
mod other;
mod streams;

pub(super) use entry::{ascend, each_name, kind_of_failure, look};
pub(super) use fault::{SystemError, failed, io_failed};
pub(super) use files::{create_new, open_addition, open_existing, read_at, status, sync_folder};
pub(super) use modes::{restrict, set_mode};
pub(super) use names::{link, make_folder, read_link, remove, remove_folder, rename, symlink};
pub(super) use other::{
    PROGRAM_FOLDERS, columns, ended, is_executable, random, shell, start_apart,
};
pub(super) use streams::{PolledPieces as Pieces, print, standard_input};
