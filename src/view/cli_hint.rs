//! The commands to type in a terminal for what a page shows.

use crate::blocking::root::STATE_FOLDER;
use crate::error::Target;
use crate::schema::Shaped;
use crate::text::{shell_word, visible};

use super::viewer::Viewer;

/// A command and what it is for.
#[derive(Shaped)]
pub(super) struct LabelledCommand {
    /// Its purpose.
    label: &'static str,
    /// The command.
    text: String,
}

impl LabelledCommand {
    pub(super) fn new(label: &'static str, text: String) -> Self {
        LabelledCommand { label, text }
    }
}

/// The command with this verb about a checkpoint, and `rest` behind it, which begins with a blank.
pub(super) fn command(viewer: &Viewer, verb: &str, target: Option<&Target>, rest: &str) -> String {
    let mut text = format!("{} {verb}", viewer.meta().program());
    if let Some(Target { command, feature }) = target {
        text.push_str(&format!(" {}", shell_word(command)));
        match feature {
            Some(feature) => text.push_str(&format!(" --feature {}", shell_word(feature))),
            // Where it is left out, the run of the branch is meant.
            None if viewer.has_features(command) => text.push_str(" --feature="),
            None => {}
        }
    }
    text.push_str(rest);
    let state = viewer.meta().state();
    match viewer.meta().place_words() {
        Some(words) => text.push_str(words),
        None if state != STATE_FOLDER => text.push_str(&format!(" --dir {}", shell_word(state))),
        None => {}
    }
    visible(&text).into_owned()
}
