//! What is known of every checkpoint: an entry each, kept up to date file by file.

mod badge;
mod entries;
mod facts;
mod filter;
mod lower;
mod order;

pub(super) use entries::{Index, Place};
pub(super) use facts::Facts;
pub(super) use filter::Filter;
pub(super) use order::Sort;
