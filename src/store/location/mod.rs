//! The location of the files of a document, and the folders around them.

mod dates;
mod folder;
mod parent;
mod paths;
mod prepare;
mod retry_open;
mod stem;

pub use folder::{MAX_NAMES, Storage, StoreFolder, wrong_kind};
pub use paths::SIDE;
pub use prepare::{IGNORE_ALL, make_folder};
pub use stem::Stem;

pub(super) use dates::dates;
pub(super) use folder::{LISTING_WAIT_MS, LISTINGS};
pub(super) use parent::parent;
pub(super) use paths::{
    ASIDE, HISTORY, LOCK, PREPARING, Paths, QUARANTINE, REPLACED, TOKENS, WAITING,
};
pub(super) use prepare::{AccessPurpose, LocationState, inspect, make_below, prepare};
pub(crate) use retry_open::while_shared;
