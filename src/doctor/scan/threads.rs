//! Threads that cannot be read: their documents, journals and parts. And those of which a loss of power took changes.

use crate::checkpoint::thread::index::{PartRef, Thread, parts};
use crate::checkpoint::thread::line;
use crate::checkpoint::thread::log::LoadedParts;
use crate::checkpoint::thread::name;
use crate::checkpoint::thread::seal::MAX_PART_BYTES;
use crate::doctor::facts::{ThreadDamage, Unread};
use crate::effect::{Io, Sync};
use crate::error::Error;
use crate::json::{Json, Object};
use crate::store::manifest::{Keys, Manifest, ManifestIndex, ManifestLayout, PartName};
use crate::store::{RetentionPolicy, Stem, StoreFolder, VersionedDocument};

use super::unread::{describe, of_error};

/// Reads every thread, with all of its parts.
pub(super) async fn scan(io: &Io, folder: &StoreFolder) -> Vec<ThreadDamage> {
    let layout = ManifestLayout {
        durability: Sync::Lazy,
        max_part_bytes: u32::try_from(MAX_PART_BYTES).unwrap_or(u32::MAX),
        keys: Keys::Own,
        parts: named,
    };
    let mut found = ThreadScan {
        io,
        folder,
        manifest: Manifest::new(io, folder, layout),
        damage: Vec::new(),
    };
    match found.manifest.names().await {
        Ok(names) => {
            for name in names.iter().filter(|it| name::is_stem(it.as_str())) {
                found.thread(name).await;
            }
        }
        Err(error) => {
            let unread = describe(io, folder, folder.path(), error).await;
            let unread = unread.map(|it| ThreadDamage::Unread(it, None));
            found.damage.extend(unread);
        }
    }
    found.damage
}

struct ThreadScan<'a> {
    io: &'a Io,
    folder: &'a StoreFolder,
    manifest: Manifest<'a>,
    damage: Vec<ThreadDamage>,
}

impl ThreadScan<'_> {
    async fn thread(&mut self, stem: &Stem) {
        let index = match self.manifest.read(stem).await {
            Ok(Some(index)) => index,
            Ok(None) => return,
            Err(error) => {
                let id = self.id(stem).await;
                return self.add_unread(stem, error, id).await;
            }
        };
        let object = &index.document.object;
        let id = id_of(object, stem);
        let read = Thread::read(object.clone(), stem.as_str());
        let read = match &index.journal {
            Some(journal) => read.and_then(|it| line::after(it, &journal.lines)),
            None => read,
        };
        if let Err(error) = read {
            return self.add_unread(stem, error, id).await;
        }
        if let Some(journal) = &index.journal
            && let Some(loss) = &journal.loss
            && let Some(id) = &id
        {
            self.damage.push(ThreadDamage::Lossy {
                path: self.manifest.shown_journal(stem, journal),
                id: id.clone(),
                lines: loss.lines,
            });
        }
        for part in parts(object) {
            if let Err(error) = self.part(stem, &part).await {
                self.add_unread(stem, error, id.clone()).await;
            }
        }
    }

    /// Reads a part; one that was replaced since the index was read is no damage.
    async fn part(&self, stem: &Stem, part: &PartRef) -> Result<(), Error> {
        let is_it = |it: &PartName| it.key == part.key && it.token == part.token;
        let mut choose = |index: &ManifestIndex| {
            let is_there = index.parts.iter().any(is_it);
            is_there.then(|| part.key.clone())
        };
        match self.manifest.part(stem, &mut choose).await? {
            Some(found) => {
                let path = self.manifest.shown_part(stem, &found);
                LoadedParts::default().add(part, &found.bytes, &path)
            }
            None => Ok(()),
        }
    }

    /// The id of a thread, from its document alone.
    async fn id(&self, stem: &Stem) -> Option<String> {
        let index = Stem::new("index".to_owned()).ok()?;
        let inner = self.folder.below(stem.as_str());
        let versioned = VersionedDocument::new(self.io, &inner, &index, RetentionPolicy::default());
        let document = versioned.read().await.ok()?.document?;
        id_of(&document.object, stem)
    }

    async fn add_unread(&mut self, stem: &Stem, error: Error, id: Option<String>) {
        let shown = self.manifest.shown(stem);
        let unread: Option<Unread> = of_error(self.io, self.folder, &shown, error).await;
        let unread = unread.map(|it| ThreadDamage::Unread(it, id));
        self.damage.extend(unread);
    }
}

fn id_of(object: &Object, stem: &Stem) -> Option<String> {
    let id = object.get("thread").and_then(Json::as_str);
    let id = id.filter(|it| name::stem(it) == stem.as_str());
    id.map(str::to_owned)
}

fn named(index: &Object) -> Vec<PartName> {
    let parts = parts(index).into_iter();
    let parts = parts.map(|it| PartName {
        key: it.key,
        token: it.token,
    });
    parts.collect()
}
