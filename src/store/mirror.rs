//! Records as the files that they would be, for programs that show files.
//!
//! The folder belongs to one program, and nothing else writes to it. Only what differs is written: a document is
//! replaced whole, and what stands beside it never changes.

use crate::effect::{Access, Failed, Fault, Io, Links, Sync};
use crate::error::Error;

use super::location::{MAX_NAMES, Paths, SIDE, Stem, Storage, StoreFolder};
use super::read::Revision;
use super::{MAX_DOCUMENTS, stems};

/// Names of bytes that are being prepared end in this.
const PREPARING: &str = ".new";

/// The stem of the document in a folder of its parts, among files.
const INDEX: &str = "index";

/// The name, among records, of the files below a document with parts.
const PARTS: &str = "parts";

/// A folder of records, and the folder of files that shows them.
pub struct Mirror<'a> {
    io: &'a Io,
    from: StoreFolder,
    to: StoreFolder,
}

impl<'a> Mirror<'a> {
    /// A mirror of the records of one folder in another one; the folder around that is there.
    pub fn new(io: &'a Io, from: StoreFolder, to: StoreFolder) -> Self {
        Mirror { io, from, to }
    }

    /// Brings the files of documents, each with its history, up to what the records are; returns how many files were
    /// written or removed. One with more than [`MAX_NAMES`] entries is passed over, and `crowded` gets their path.
    ///
    /// # Errors
    ///
    /// [`Error::io`].
    pub async fn documents(&self, crowded: &mut Vec<String>) -> Result<u64, Error> {
        let mut changed = 0;
        let stems = stems(self.io, &self.from).await?;
        for stem in &stems {
            changed += self.document(stem, crowded).await?;
        }
        let files = stems.iter().map(Stem::file).collect::<Vec<_>>();
        changed += self.remove_others("", &files, is_document).await?;
        Ok(changed)
    }

    /// Brings the files of documents with parts, each in a folder of its own, up to what the records are, as
    /// [`Mirror::documents`] does.
    ///
    /// # Errors
    ///
    /// [`Error::io`].
    pub async fn documents_with_parts(&self, crowded: &mut Vec<String>) -> Result<u64, Error> {
        let mut changed = 0;
        let stems = stems(self.io, &self.from).await?;
        for stem in &stems {
            changed += self.document_with_parts(stem, crowded).await?;
        }
        let Some(shown) = self.to.names_up_to(self.io, "", MAX_DOCUMENTS).await? else {
            return Ok(changed);
        };
        for name in shown {
            let is_there = stems.iter().any(|stem| stem.as_str() == name);
            if !is_there && name != SIDE {
                changed += self.remove_others(&name, &[], |_| true).await?;
            }
        }
        Ok(changed)
    }

    async fn document(&self, stem: &Stem, crowded: &mut Vec<String>) -> Result<u64, Error> {
        let record = Paths::new(stem, Storage::Records);
        let file = Paths::new(stem, Storage::Files);
        // Before the document: a history that is newer than it would make it look put back.
        let Some(names) = self.names(record.history(), crowded).await? else {
            return Ok(0);
        };
        let Some(bytes) = self.record(&record.document).await? else {
            return Ok(0);
        };
        let mut changed = self.put(&file.document, bytes).await?;
        let mut kept = Vec::new();
        for name in names {
            if Revision::of_file(&name).is_none() {
                continue;
            }
            changed += self
                .put_once(&file.entry(&name), &record.entry(&name))
                .await?;
            kept.push(name);
        }
        changed += self.remove_others(file.history(), &kept, |_| true).await?;
        Ok(changed)
    }

    async fn document_with_parts(
        &self,
        stem: &Stem,
        crowded: &mut Vec<String>,
    ) -> Result<u64, Error> {
        let Some(bytes) = self.record(stem.as_str()).await? else {
            return Ok(0);
        };
        let below = [stem.as_str(), "/", PARTS].concat();
        let Some(parts) = self.names(&below, crowded).await? else {
            return Ok(0);
        };
        let index = [INDEX, Stem::ENDING].concat();
        let mut files = vec![index.clone()];
        let mut changed = 0;
        for part in parts {
            let file = [&part, Stem::ENDING].concat();
            let to = [stem.as_str(), "/", &file].concat();
            let from = [&below, "/", &part].concat();
            changed += self.put_once(&to, &from).await?;
            files.push(file);
        }
        let index = [stem.as_str(), "/", &index].concat();
        changed += self.put(&index, bytes).await?;
        changed += self
            .remove_others(stem.as_str(), &files, is_document)
            .await?;
        Ok(changed)
    }

    /// The names of records below one; `None` where there are too many, with their path in `crowded`.
    async fn names(
        &self,
        below: &str,
        crowded: &mut Vec<String>,
    ) -> Result<Option<Vec<String>>, Error> {
        let names = self.from.names_up_to(self.io, below, MAX_NAMES).await?;
        if names.is_none() {
            crowded.push(self.from.shown(below));
        }
        Ok(names)
    }

    async fn record(&self, below: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.io.read_record(self.from.host(below)).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(failed) if failed.fault == Fault::NotFound => Ok(None),
            Err(failed) => Err(self.from.error("read", below, &failed)),
        }
    }

    /// Writes a file that never changes, unless it is there.
    async fn put_once(&self, to: &str, from: &str) -> Result<u64, Error> {
        let is_there = self.io.read_start(self.to.host(to), 1).await;
        if is_there.is_ok() {
            return Ok(0);
        }
        match self.record(from).await? {
            Some(bytes) => self.put(to, bytes).await,
            None => Ok(0),
        }
    }

    /// Writes a file, unless it holds these bytes.
    async fn put(&self, below: &str, bytes: Vec<u8>) -> Result<u64, Error> {
        let path = self.to.host(below);
        let limit = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let there = self.io.read(path.clone(), limit, Links::Refuse).await;
        if there.is_ok_and(|there| there == bytes) {
            return Ok(0);
        }
        self.make_folders(below).await?;
        let preparing = [&path, PREPARING].concat();
        // One that was left would be in the way.
        let _ = self.io.remove(preparing.clone()).await;
        let made = self
            .io
            .create(preparing.clone(), bytes, Sync::Lazy, Access::Owner);
        made.await.map_err(|failed| self.failed(below, &failed))?;
        let renamed = self.io.rename(preparing, path).await;
        renamed.map_err(|failed| self.failed(below, &failed))?;
        Ok(1)
    }

    /// Makes the folder itself, which tasks and threads have below that of the runs, and those of a path below it.
    async fn make_folders(&self, below: &str) -> Result<(), Error> {
        let own = std::iter::once(self.to.host(""));
        let ends = below.match_indices('/').map(|(end, _)| end);
        for path in own.chain(ends.map(|end| self.to.host(&below[..end]))) {
            match self.io.make_folder(path, Access::Owner).await {
                Err(failed) if failed.fault != Fault::Exists => {
                    return Err(self.failed(below, &failed));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes the files of a folder that are of this kind, and none of these.
    async fn remove_others(
        &self,
        below: &str,
        kept: &[String],
        is_meant: fn(&str) -> bool,
    ) -> Result<u64, Error> {
        let mut changed = 0;
        let shown = self.to.names_up_to(self.io, below, MAX_DOCUMENTS).await?;
        for name in shown.unwrap_or_default() {
            if !is_meant(&name) || kept.contains(&name) {
                continue;
            }
            let path = match below {
                "" => self.to.host(&name),
                below => self.to.host(&[below, "/", &name].concat()),
            };
            changed += u64::from(self.io.remove(path).await.is_ok());
        }
        Ok(changed)
    }

    fn failed(&self, below: &str, failed: &Failed) -> Error {
        self.to.error("write", below, failed)
    }
}

/// Returns whether a file is a document, and not a file that the store keeps beside it.
fn is_document(name: &str) -> bool {
    name.ends_with(Stem::ENDING)
}
