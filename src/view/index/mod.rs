//! The known facts of every checkpoint: an entry each, kept up to date file by file.

mod badge;
mod entries;
mod facts;
mod filter;
mod lower;
mod order;

pub(super) use badge::{Badge, ShownBadge};
pub(super) use entries::{ReadContext, RunIndex};
pub(super) use facts::{IndexedRun, RunStatus, status};
pub(super) use filter::{Facets, RunFilter};
pub(super) use lower::lower;
pub(super) use order::Sort;
