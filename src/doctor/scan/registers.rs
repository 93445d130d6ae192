//! The files that remember something beside checkpoints: the register of snapshots, the cursor of notifications, and
//! the records of agents' sessions.

use crate::doctor::facts::{RegisterDamage, Unread};
use crate::effect::{Io, Links, PathKind};
use crate::json::{self, Json};
use crate::root::{self, CONTEXTS};
use crate::store::{MAX_NAMES, RetentionPolicy, SIDE, Stem, StoreFolder, VersionedDocument};
use crate::str_map;

use super::unread::of_error;

/// The stems of the register of snapshots and of the cursor of notifications.
const REGISTER: &str = "register";
const CURSOR: &str = "cursor";

/// The extensions of those records of a session that hold something; the others are names alone.
const RECORDS: [&str; 3] = [".json", ".owner", ".dirty"];

/// No record is larger.
const MAX_RECORD_BYTES: u32 = 1 << 20;

/// Looks at those that have a history.
pub(super) async fn documents(
    io: &Io,
    folder: &StoreFolder,
    sessions: &[StoreFolder],
) -> Vec<RegisterDamage> {
    let mut damage = Vec::new();
    for folder in sessions {
        document(io, folder, REGISTER, &mut damage).await;
    }
    let notifications = root::notifications_folder(folder);
    document(io, &notifications, CURSOR, &mut damage).await;
    damage
}

async fn document(io: &Io, folder: &StoreFolder, stem: &str, damage: &mut Vec<RegisterDamage>) {
    let Ok(stem) = Stem::new(stem.to_owned()) else {
        return;
    };
    let versioned = VersionedDocument::new(io, folder, &stem, RetentionPolicy::default());
    match versioned.read().await {
        Ok(stored) if stored.document.is_none() && stored.has_side => {
            let revisions = versioned.revisions().await.unwrap_or_default();
            if !revisions.is_empty() {
                damage.push(RegisterDamage::Gone(versioned.shown()));
            }
        }
        Ok(_) => {}
        Err(error) => {
            let unread: Option<Unread> = of_error(io, folder, &versioned.shown(), error).await;
            // An entry in the place of a folder is a finding where that is looked at.
            let unread = unread.filter(|it| it.path == versioned.shown());
            damage.extend(unread.map(RegisterDamage::Unread));
        }
    }
}

/// The records of sessions that are no objects, in a state folder that is there.
pub(super) async fn records(io: &Io, folder: &StoreFolder, damage: &mut Vec<RegisterDamage>) {
    let contexts = format!("{SIDE}/{CONTEXTS}");
    let parts = [folder.shown(SIDE), folder.shown(&contexts)];
    let entries = folder.inspect(io, &parts).await.unwrap_or_default();
    if entries.is_empty() || entries.iter().any(|it| it.kind != PathKind::Folder) {
        return;
    }
    let names = folder.names_up_to(io, &contexts, MAX_NAMES).await;
    let names = str_map::sort(names.ok().flatten().unwrap_or_default());
    let is_record = |it: &&String| RECORDS.iter().any(|ending| it.ends_with(ending));
    for name in names.iter().filter(is_record) {
        let below = format!("{contexts}/{name}");
        let read = io.read(folder.host(&below), MAX_RECORD_BYTES, Links::Refuse);
        // One that cannot be read at all is of another user, or gone.
        let Ok(bytes) = read.await else { continue };
        let reading = json::read(&bytes);
        if !reading.is_ok_and(|it| matches!(it.value, Json::Object(_))) {
            damage.push(RegisterDamage::Record(below));
        }
    }
}
