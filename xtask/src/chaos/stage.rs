//! What everybody in a run needs.

use std::path::Path;

use anyhow::Result;

use super::actor::Actor;
use super::board::Board;
use super::cast::{Cast, Host};
use super::signal::Interrupt;
use super::way::Way;

/// The writers' hosts, their folder, and what they tell each other.
pub(super) struct Stage<'a> {
    pub(super) cast: &'a Cast,
    pub(super) way: Way,
    /// The throwaway repository.
    pub(super) root: &'a Path,
    pub(super) interrupt: &'a Interrupt,
    pub(super) board: Board,
}

impl<'a> Stage<'a> {
    pub(super) fn start(&self, host: Host) -> Result<Actor<'a>> {
        Actor::start(self.cast, host, self.way, self.root, self.interrupt)
    }
}
