//! Facts of a place for a page.

#[cfg(feature = "cli")]
mod facts;
mod failed;
mod frames;
mod missing_files;
mod overview;
mod page;
mod search;
pub(crate) mod versions;
