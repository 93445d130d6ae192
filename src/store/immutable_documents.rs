//! Documents that never change: published once under a name, read, listed and removed.
//!
//! Among files one is written whole under a name of its own and then gets its name by a link, which
//! never replaces one. Where there are no links, the process that makes the claim of a name
//! publishes it, so that a name whose publisher died in between is used up.

use crate::digest::is_id;
use crate::effect::{Access, Failed, Fault, Io, Links, PathKind, Swap, Sync};
use crate::error::Error;

use super::MAX_DOCUMENTS;
use super::location::dates;
use super::location::{PREPARING, SIDE, Stem, Storage, StoreFolder, make_below, make_folder};
use super::overview::Overview;
use super::read::bytes_of;
use super::write::new_id;

/// The folder where documents are prepared, and names claimed.
const STAGING_FOLDER: &str = "shelf";

/// A process that began to put a document here so long ago is taken for dead. One for which that is
/// wrong fails, and its document stays unpublished.
const DEAD_AFTER_MS: f64 = 3_600_000.0;

/// A folder of documents that never change.
#[derive(Debug)]
pub struct ImmutableDocuments<'a> {
    io: &'a Io,
    folder: &'a StoreFolder,
    /// The ending of the files' names, such as `.yaml`.
    ending: &'static str,
    durability: Sync,
}

impl<'a> ImmutableDocuments<'a> {
    /// The documents in a folder, in files that end so.
    pub fn new(
        io: &'a Io,
        folder: &'a StoreFolder,
        ending: &'static str,
        durability: Sync,
    ) -> Self {
        ImmutableDocuments {
            io,
            folder,
            ending,
            durability,
        }
    }

    /// Makes the folder itself durable, and those above it: their maker may have died before that.
    /// To be called before the first document of a folder is published.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`].
    pub async fn begin(&self) -> Result<(), Error> {
        if self.folder.storage() == Storage::Records {
            return Ok(());
        }
        make_folder(self.io, self.folder, self.durability).await?;
        match self.durability {
            Sync::Durable => self.folder.sync_parents(self.io).await,
            Sync::Lazy => Ok(()),
        }
    }

    /// Publishes a document under a name that was never used.
    ///
    /// # Errors
    ///
    /// [`Error::conflict`] when the name is taken; [`Error::unsafe_path`], [`Error::io`].
    pub async fn publish(&self, stem: &Stem, bytes: &[u8]) -> Result<(), Error> {
        let side = format!("{SIDE}/{STAGING_FOLDER}");
        let published = self.publish_from(&side, stem, bytes).await?;
        published.map_err(|failed| self.refused(stem, &failed))
    }

    /// Puts a document under a name that only these bytes ever have here: another process that puts
    /// it there puts the same, so that one may take the place of the other, and no name is used up
    /// by a process that died.
    ///
    /// # Errors
    ///
    /// [`Error::conflict`] when something else has the name; [`Error::unsafe_path`], [`Error::io`].
    pub async fn put_same(&self, stem: &Stem, bytes: &[u8]) -> Result<(), Error> {
        match self.read(stem).await? {
            // The process that put it there may have died before it was durable.
            Some(there) if there == bytes => return self.settle().await,
            Some(_) => return Err(self.taken(stem)),
            None => {}
        }
        let ImmutableDocuments { io, folder, .. } = self;
        let name = self.name(stem);
        if folder.storage() == Storage::Records {
            let swapped = self.swap(&name, None, Some(bytes.to_owned())).await;
            return swapped.map_err(|failed| self.refused(stem, &failed));
        }
        self.begin().await?;
        make_below(io, folder, &format!("{SIDE}/{STAGING_FOLDER}")).await?;
        let preparing = format!("{SIDE}/{STAGING_FOLDER}/{}{PREPARING}", new_id(io).await?);
        if let Err(failed) = folder.put(io, bytes, &preparing, &name).await {
            let _ = io.remove(folder.host(&preparing)).await;
            return Err(folder.error("write", &name, &failed));
        }
        self.settle().await
    }

    /// Removes the files of processes that died while they put a document here. On a host without
    /// dates they stay.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`].
    pub async fn sweep(&self) -> Result<(), Error> {
        let ImmutableDocuments { io, folder, .. } = self;
        if folder.storage() == Storage::Records {
            return Ok(());
        }
        let side = format!("{SIDE}/{STAGING_FOLDER}");
        folder.check(io).await?;
        let parts = [folder.shown(SIDE), folder.shown(&side)];
        folder.expect_folders(io, &parts).await?;
        let mut files = folder.names(io, &side, MAX_DOCUMENTS).await?;
        files.retain(|file| file.strip_suffix(PREPARING).is_some_and(is_id));
        if files.is_empty() {
            return Ok(());
        }
        let now = io.clock().await;
        let now = now.map_err(|failed| folder.error("look at", &side, &failed))?;
        let dates = dates(io, folder.host(&side), files.clone()).await;
        for (file, date) in files.iter().zip(dates.unwrap_or_default()) {
            if date.is_some_and(|it| (now.wall_ms - it).abs() > DEAD_AFTER_MS) {
                let _ = io.remove(folder.host(&format!("{side}/{file}"))).await;
            }
        }
        Ok(())
    }

    /// Publishes a document as [`ImmutableDocuments::publish`] does, prepared in another folder: nothing is
    /// published when that folder or the prepared file is gone, which is [`Fault::NotFound`].
    pub(in crate::store) async fn publish_from(
        &self,
        side: &str,
        stem: &Stem,
        bytes: &[u8],
    ) -> Result<Result<(), Failed>, Error> {
        let ImmutableDocuments { io, folder, .. } = self;
        let name = self.name(stem);
        let published = match folder.storage() {
            Storage::Records => self.swap(&name, None, Some(bytes.to_owned())).await,
            Storage::Files => {
                make_folder(io, folder, self.durability).await?;
                make_below(io, folder, &format!("{SIDE}/{STAGING_FOLDER}")).await?;
                let preparing = format!("{side}/{}{PREPARING}", new_id(io).await?);
                let made = self.publish_file(&preparing, stem, bytes).await;
                // Where it was renamed, it is gone already.
                let _ = io.remove(folder.host(&preparing)).await;
                made
            }
        };
        match published {
            Ok(()) => self.settle().await.map(Ok),
            Err(failed) => Ok(Err(failed)),
        }
    }

    /// Returns the error for a document that was not published.
    pub(in crate::store) fn refused(&self, stem: &Stem, failed: &Failed) -> Error {
        let name = self.name(stem);
        match failed.fault {
            Fault::Exists | Fault::Changed => self.taken(stem),
            _ => self.folder.error("write", &name, failed),
        }
    }

    fn taken(&self, stem: &Stem) -> Error {
        let message = format!("The name {} is taken", self.folder.shown(&self.name(stem)));
        Error::conflict(message, Vec::new())
    }

    async fn publish_file(&self, preparing: &str, stem: &Stem, bytes: &[u8]) -> Result<(), Failed> {
        let ImmutableDocuments { io, folder, .. } = self;
        let (preparing, path) = (folder.host(preparing), folder.host(&self.name(stem)));
        io.create(
            preparing.clone(),
            bytes.to_owned(),
            self.durability,
            Access::Owner,
        )
        .await?;
        match io.link(preparing.clone(), path.clone()).await {
            Ok(()) => return Ok(()),
            Err(failed) if failed.fault == Fault::Unsupported => {}
            // A claim keeps out only writers that make one, and others may have links.
            Err(failed) => return Err(failed),
        }
        io.create(self.claim(stem), Vec::new(), Sync::Lazy, Access::Owner)
            .await?;
        let entries = io.inspect(vec![path.clone()]).await?;
        match entries[0].kind {
            PathKind::Absent => io.rename(preparing, path).await,
            _ => Err(Failed {
                effect: "rename",
                fault: Fault::Exists,
                detail: String::new(),
            }),
        }
    }

    /// Returns a document; `None` for an unused name.
    ///
    /// # Errors
    ///
    /// [`Error::too_large`], [`Error::unsafe_path`], [`Error::io`].
    pub async fn read(&self, stem: &Stem) -> Result<Option<Vec<u8>>, Error> {
        self.folder.check(self.io).await?;
        bytes_of(self.io, self.folder, &self.name(stem)).await
    }

    /// Returns the first bytes of a document, fewer than `limit` only where it has no more; `None`
    /// for an unused name.
    ///
    /// # Errors
    ///
    /// As [`ImmutableDocuments::read`].
    pub async fn read_start(&self, stem: &Stem, limit: u32) -> Result<Option<Vec<u8>>, Error> {
        let ImmutableDocuments { io, folder, .. } = self;
        if folder.storage() == Storage::Records {
            return self.read(stem).await;
        }
        let path = folder.host(&self.name(stem));
        match io.part(path, 0, limit, Links::Refuse).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(_) => self.read(stem).await,
        }
    }

    /// Returns the last known state of these documents, which are sorted by the names of their
    /// files.
    pub async fn overview(&self, stems: &[Stem]) -> Overview {
        let ImmutableDocuments { io, folder, .. } = self;
        match folder.expect_folders(io, &[folder.shown(SIDE)]).await {
            Ok(()) => Overview::open(io, folder, self.ending, stems).await,
            Err(_) => Overview::default(),
        }
    }

    /// Writes the known state of all of the documents, where that saves enough reading.
    pub async fn keep_overview(&self, overview: Overview) {
        if overview.is_due() {
            overview.keep(self.io, self.folder).await;
        }
    }

    /// The names of all documents, in no order.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`].
    pub async fn list(&self) -> Result<Vec<Stem>, Error> {
        let files = self.files().await?;
        let stem = |file: &String| Stem::new(self.stem_of(file)?.to_owned()).ok();
        Ok(files.iter().filter_map(stem).collect())
    }

    /// The names of all files, those of documents among them, in no order.
    ///
    /// # Errors
    ///
    /// As [`ImmutableDocuments::list`].
    pub async fn files(&self) -> Result<Vec<String>, Error> {
        self.folder.check(self.io).await?;
        self.folder.names(self.io, "", MAX_DOCUMENTS).await
    }

    /// Returns the stem that a file is stored under; `None` for a file that is no document.
    pub fn stem_of<'n>(&self, file: &'n str) -> Option<&'n str> {
        file.strip_suffix(self.ending())
    }

    /// Returns whether anything stands under a name.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`].
    pub async fn is_taken(&self, stem: &Stem) -> Result<bool, Error> {
        let ImmutableDocuments { io, folder, .. } = self;
        if folder.storage() == Storage::Records {
            return Ok(self.read(stem).await?.is_some());
        }
        folder.check(io).await?;
        let entries = folder
            .inspect(io, &[folder.shown(&self.name(stem))])
            .await?;
        Ok(entries[0].kind != PathKind::Absent)
    }

    /// Removes a document; whether there was one.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`], [`Error::io`].
    pub async fn remove(&self, stem: &Stem) -> Result<bool, Error> {
        let Some(bytes) = self.read(stem).await? else {
            return Ok(false);
        };
        let ImmutableDocuments { io, folder, .. } = self;
        let name = self.name(stem);
        let removed = match folder.storage() {
            Storage::Records => self.swap(&name, Some(bytes), None).await,
            Storage::Files => {
                let removed = io.remove(folder.host(&name)).await;
                let _ = io.remove(self.claim(stem)).await;
                removed
            }
        };
        match removed {
            Ok(()) => self.settle().await.map(|()| true),
            // Another process was faster.
            Err(Failed {
                fault: Fault::NotFound | Fault::Changed,
                ..
            }) => Ok(false),
            Err(failed) => Err(folder.error("remove", &name, &failed)),
        }
    }

    async fn swap(
        &self,
        name: &str,
        expected: Option<Vec<u8>>,
        bytes: Option<Vec<u8>>,
    ) -> Result<(), Failed> {
        let swap = Swap {
            record: self.folder.host(name),
            expected,
            bytes,
            keep: None,
            side_writes: Vec::new(),
        };
        self.io.swap_record(swap).await
    }

    /// Makes durable what is published here, by whomever.
    async fn settle(&self) -> Result<(), Error> {
        match self.durability {
            Sync::Durable => self.folder.sync(self.io, "").await,
            Sync::Lazy => Ok(()),
        }
    }

    fn ending(&self) -> &'static str {
        match self.folder.storage() {
            Storage::Files => self.ending,
            Storage::Records => "",
        }
    }

    /// The name of a document's file.
    pub fn name(&self, stem: &Stem) -> String {
        format!("{}{}", stem.as_str(), self.ending())
    }

    /// Returns the claim that a publisher makes on a host without links.
    fn claim(&self, stem: &Stem) -> String {
        self.folder
            .host(&format!("{SIDE}/{STAGING_FOLDER}/{}", stem.side()))
    }
}
