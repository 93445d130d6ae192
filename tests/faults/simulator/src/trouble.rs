//! Errors that a host answers with in place of an effect.

use milepost::effect::{Effect, Fault, Outcome};

use milepost_disk::Disk;

/// An errno, and what it keeps from happening.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trouble {
    pub(crate) name: &'static str,
    fault: Fault,
    hits: fn(&Effect) -> bool,
    /// True if the effect may have happened, or begun to, all the same.
    is_halfway: bool,
}

pub(crate) const ALL: [Trouble; 6] = [
    Trouble {
        name: "ENOSPC",
        fault: Fault::NoSpace,
        hits: |effect| {
            matches!(
                effect,
                Effect::Create { .. }
                    | Effect::MakeFolder { .. }
                    | Effect::Link { .. }
                    | Effect::Rename { .. }
            )
        },
        is_halfway: true,
    },
    Trouble {
        name: "EIO",
        fault: Fault::Other,
        hits: is_on_files,
        is_halfway: true,
    },
    Trouble {
        name: "EACCES",
        fault: Fault::Other,
        hits: is_on_files,
        is_halfway: false,
    },
    Trouble {
        name: "EMFILE",
        fault: Fault::Other,
        hits: |effect| {
            matches!(
                effect,
                Effect::Create { .. }
                    | Effect::Read { .. }
                    | Effect::List { .. }
                    | Effect::SyncFolder { .. }
            )
        },
        is_halfway: false,
    },
    Trouble {
        name: "EROFS",
        fault: Fault::Other,
        hits: |effect| {
            matches!(
                effect,
                Effect::Create { .. }
                    | Effect::MakeFolder { .. }
                    | Effect::Link { .. }
                    | Effect::Rename { .. }
                    | Effect::Remove { .. }
            )
        },
        is_halfway: false,
    },
    Trouble {
        name: "sharing violation",
        fault: Fault::Sharing,
        hits: |effect| {
            matches!(
                effect,
                Effect::Create { .. }
                    | Effect::Read { .. }
                    | Effect::Rename { .. }
                    | Effect::Remove { .. }
            )
        },
        is_halfway: false,
    },
];

fn is_on_files(effect: &Effect) -> bool {
    !matches!(
        effect,
        Effect::Clock | Effect::Random { .. } | Effect::Wait { .. }
    )
}

impl Trouble {
    /// The answer in place of the effect's own; `None` where this trouble lets it happen.
    pub(crate) fn befall(
        &self,
        effect: &Effect,
        disk: &mut Disk,
        random: &mut fastrand::Rng,
    ) -> Option<Outcome> {
        if !(self.hits)(effect) {
            return None;
        }
        if self.is_halfway && random.bool() {
            match effect {
                Effect::Create { path, bytes, .. } => {
                    disk.create_in_part(path, bytes, random.usize(..=bytes.len()));
                }
                effect => {
                    disk.perform(effect);
                }
            }
        }
        Some(Outcome::Failed {
            fault: self.fault,
            detail: format!("{}: simulated", self.name),
        })
    }
}
