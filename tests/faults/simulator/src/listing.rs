//! A listing takes time: it shows every name that is there all along, and any of the others.

use std::collections::BTreeSet;

use fastrand::Rng;
use milepost::effect::{Effect, Fault, Outcome};
use milepost_disk::{Disk, failed};

/// One in progress.
pub(crate) struct Listing {
    path: String,
    limit: u32,
    steady: BTreeSet<String>,
    passing: BTreeSet<String>,
}

impl Listing {
    pub(crate) fn begins(disk: &Disk, path: &str, limit: u32) -> Self {
        Self {
            path: path.to_owned(),
            limit,
            steady: disk.names(path).iter().map(ToString::to_string).collect(),
            passing: BTreeSet::new(),
        }
    }

    /// A name goes during the listing.
    pub(crate) fn goes(&mut self, path: &str) {
        if let Some((folder, name)) = path.rsplit_once('/')
            && folder == self.path
            && self.steady.remove(name)
        {
            self.passing.insert(name.to_owned());
        }
    }

    /// Names in any order; one that came or went during it is shown or not. A listing that met one
    /// that went may end early, as under a runtime that looks at each.
    pub(crate) fn ends(self, disk: &Disk, random: &mut Rng, interruption_chance: f64) -> Outcome {
        let effect = Effect::List {
            path: self.path,
            limit: self.limit,
        };
        let outcome = disk.clone().perform(&effect);
        let Some(Outcome::Names {
            names,
            mut complete,
        }) = outcome
        else {
            return outcome.unwrap_or(failed(Fault::Other));
        };
        let mut shown: Vec<String> = self.steady.iter().cloned().collect();
        let came = names.iter().filter(|name| !self.steady.contains(*name));
        let passing: BTreeSet<&String> = self.passing.iter().chain(came).collect();
        for name in passing {
            if random.bool() {
                shown.push(name.clone());
            }
        }
        random.shuffle(&mut shown);
        if !self.passing.is_empty() && random.f64() < interruption_chance {
            complete = false;
            shown.truncate(random.usize(..=shown.len()));
        }
        Outcome::Names {
            names: shown,
            complete,
        }
    }
}
