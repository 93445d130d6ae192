//! Facts of a place for a page.

#[cfg(feature = "cli")]
mod facts;
mod failed;
mod frames;
pub(crate) mod moments;
mod overview;
mod page;
mod search;
mod wanted;
