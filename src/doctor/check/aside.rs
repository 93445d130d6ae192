//! Files that restores have moved aside and not put back.

use crate::doctor::facts::{LeftAside, StateFolderFacts};
use crate::doctor::finding::{Level, Report};
use crate::doctor::fix_step::{FixStep, Remedy};

pub(super) fn left(facts: &StateFolderFacts<'_>, report: &mut Report) {
    for left in &facts.asides {
        let LeftAside {
            shown,
            path,
            put_back,
        } = left;
        let found = match path {
            Some(path) => format!("A restore that did not end has moved {path} here"),
            None => "A restore that did not end has moved a file here".to_owned(),
        };
        let why = match put_back {
            Some(_) => {
                "It is missing in its place. Putting it back replaces nothing, and so does the next restore."
            }
            None => {
                "Something else stands in its place, or its folder is gone, so that it is not put back. \
                 Remove it when nothing in it is needed any more."
            }
        };
        let finding = report.add(Level::Warning, shown, &found, why);
        // A restore that is at work has one for a moment.
        finding.fleeting();
        match put_back {
            Some(put_back) => finding.with(Remedy::PutBack(put_back.clone())),
            None => finding.fixed_by(FixStep::Remove(shown.clone())),
        };
    }
}
