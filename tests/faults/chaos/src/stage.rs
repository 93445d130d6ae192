//! The things that all parts of a run need.

use std::path::Path;

use anyhow::Result;

use crate::actor::Actor;
use crate::board::Board;
use crate::cast::{Cast, Host, Script};
use crate::signal::Interrupt;
use crate::write_strategy::WriteStrategy;

/// The writers' hosts, their folder, and the messages between them.
pub(crate) struct Stage<'a> {
    pub(crate) cast: &'a Cast,
    pub(crate) strategy: WriteStrategy,
    /// The throwaway repository.
    pub(crate) root: &'a Path,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) board: Board,
}

impl<'a> Stage<'a> {
    pub(crate) fn start(&self, host: Host) -> Result<Actor<'a>> {
        let script = Script::Updates(self.strategy);
        Actor::start(self.cast, host, script, self.root, self.interrupt)
    }
}
