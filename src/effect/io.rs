//! The methods of [`Io`], one for each effect, in the async and the blocking variant.

use super::answer::{bytes, done, names, unexpected};
use super::async_io::{Answer, Io};
use super::{
    Access, Clock, Counted, Effect, Failed, Fault, FolderNames, FolderScan, FoundEntry, Links,
    Nearest, Outcome, PathEntry, Stream, Swap, Sync, Until,
};
use crate::encoding::Encoding;
use crate::error::Error;

impl Io {
    /// [`Effect::Clock`]
    pub fn clock(&self) -> Answer<'_, Clock> {
        self.request(Effect::Clock, |outcome| match outcome {
            Outcome::Clock {
                wall_ms,
                monotonic_ms,
            } => Ok(Clock {
                wall_ms,
                monotonic_ms,
            }),
            other => Err(other),
        })
    }

    /// The clocks, for an operation that needs them.
    ///
    /// # Errors
    ///
    /// [`Error::io`].
    pub async fn now(&self) -> Result<Clock, Error> {
        let clock = self.clock().await;
        clock.map_err(|failed| failed.cannot_do("read the clock"))
    }

    /// [`Effect::Random`]
    pub async fn random(&self, length: u32) -> Result<Vec<u8>, Failed> {
        let bytes = self.request(Effect::Random { length }, bytes).await?;
        if bytes.len() != length as usize {
            return Err(unexpected("random", &Outcome::Bytes(bytes)));
        }
        Ok(bytes)
    }

    /// [`Effect::Wait`]
    pub fn wait(&self, ms: u32) -> Answer<'_, ()> {
        self.request(Effect::Wait { ms }, done)
    }

    /// [`Effect::Ascend`]
    pub fn ascend(&self, from: String, name: &str) -> Answer<'_, Nearest> {
        let effect = Effect::Ascend {
            from,
            name: name.to_owned(),
        };
        self.request(effect, |outcome| match outcome {
            Outcome::Found {
                folder,
                below,
                kind,
            } => Ok(Nearest::Found(FoundEntry {
                folder,
                below,
                kind,
            })),
            Outcome::Failed {
                fault: Fault::NotFound,
                ..
            } => Ok(Nearest::Nowhere),
            Outcome::Failed {
                fault: Fault::Unsupported,
                ..
            } => Ok(Nearest::OutOfSight),
            other => Err(other),
        })
    }

    /// [`Effect::Inspect`]; one entry per path.
    pub async fn inspect(&self, paths: Vec<String>) -> Result<Vec<PathEntry>, Failed> {
        let expected = paths.len();
        let effect = Effect::Inspect { paths };
        let entries = self.request(effect, |outcome| match outcome {
            Outcome::Entries(entries) => Ok(entries),
            other => Err(other),
        });
        let entries = entries.await?;
        if entries.len() != expected {
            return Err(unexpected("inspect", &Outcome::Entries(entries)));
        }
        Ok(entries)
    }

    /// [`Effect::Read`]
    pub fn read(&self, path: String, limit: u32, links: Links) -> Answer<'_, Vec<u8>> {
        self.request(Effect::Read { path, limit, links }, bytes)
    }

    /// [`Effect::ReadStart`]
    pub fn read_start(&self, path: String, limit: u32) -> Answer<'_, Vec<u8>> {
        self.request(Effect::ReadStart { path, limit }, bytes)
    }

    /// [`Effect::Part`]
    pub fn part(
        &self,
        path: String,
        offset: u64,
        length: u32,
        links: Links,
    ) -> Answer<'_, Vec<u8>> {
        let effect = Effect::Part {
            path,
            offset,
            length,
            links,
        };
        self.request(effect, bytes)
    }

    /// [`Effect::ReadLink`]
    pub fn read_link(&self, path: String) -> Answer<'_, Vec<u8>> {
        self.request(Effect::ReadLink { path }, bytes)
    }

    /// [`Effect::MakeFolder`]
    pub fn make_folder(&self, path: String, access: Access) -> Answer<'_, ()> {
        self.request(Effect::MakeFolder { path, access }, done)
    }

    /// [`Effect::Create`]
    pub fn create(
        &self,
        path: String,
        bytes: Vec<u8>,
        sync: Sync,
        access: Access,
    ) -> Answer<'_, ()> {
        let effect = Effect::Create {
            path,
            bytes,
            sync,
            access,
        };
        self.request(effect, done)
    }

    /// [`Effect::Append`]
    pub fn append(&self, path: String, bytes: Vec<u8>, sync: Sync) -> Answer<'_, ()> {
        self.request(Effect::Append { path, bytes, sync }, done)
    }

    /// [`Effect::Symlink`]
    pub fn symlink(&self, path: String, target: Vec<u8>) -> Answer<'_, ()> {
        self.request(Effect::Symlink { path, target }, done)
    }

    /// [`Effect::Rename`]
    pub fn rename(&self, from: String, to: String) -> Answer<'_, ()> {
        self.request(Effect::Rename { from, to }, done)
    }

    /// [`Effect::Link`]
    pub fn link(&self, from: String, to: String) -> Answer<'_, ()> {
        self.request(Effect::Link { from, to }, done)
    }

    /// [`Effect::Remove`]
    pub fn remove(&self, path: String) -> Answer<'_, ()> {
        self.request(Effect::Remove { path }, done)
    }

    /// [`Effect::RemoveFolder`]
    pub fn remove_folder(&self, path: String) -> Answer<'_, ()> {
        self.request(Effect::RemoveFolder { path }, done)
    }

    /// [`Effect::Restrict`]
    pub fn restrict(&self, path: String) -> Answer<'_, ()> {
        self.request(Effect::Restrict { path }, done)
    }

    /// [`Effect::SetMode`]
    pub fn set_mode(&self, path: String, is_executable: bool) -> Answer<'_, ()> {
        let effect = Effect::SetMode {
            path,
            is_executable,
            permissions: None,
        };
        self.request(effect, done)
    }

    /// [`Effect::SetMode`] with the nine permission bits.
    pub fn set_permissions(&self, path: String, bits: u32) -> Answer<'_, ()> {
        let effect = Effect::SetMode {
            path,
            is_executable: bits & 0o100 != 0,
            permissions: Some(bits),
        };
        self.request(effect, done)
    }

    /// [`Effect::List`]
    pub fn list(&self, path: String, limit: u32) -> Answer<'_, FolderNames> {
        self.request(Effect::List { path, limit }, names)
    }

    /// [`Effect::SyncFolder`]
    pub fn sync_folder(&self, path: String) -> Answer<'_, ()> {
        self.request(Effect::SyncFolder { path }, done)
    }

    /// [`Effect::Survey`]
    pub fn survey(&self, folder: String, names: Vec<String>) -> Answer<'_, Vec<String>> {
        self.request(Effect::Survey { folder, names }, |outcome| match outcome {
            Outcome::Names { names, .. } => Ok(names),
            other => Err(other),
        })
    }

    /// [`Effect::Scan`]
    pub fn scan(&self, folder: String, limit: u32) -> Answer<'_, FolderScan> {
        self.request(Effect::Scan { folder, limit }, |outcome| match outcome {
            Outcome::Scanned { entries, complete } => Ok(FolderScan { entries, complete }),
            other => Err(other),
        })
    }

    /// [`Effect::ReadRecord`]
    pub fn read_record(&self, record: String) -> Answer<'_, Vec<u8>> {
        self.request(Effect::ReadRecord { record }, bytes)
    }

    /// [`Effect::SwapRecord`]
    pub fn swap_record(&self, swap: Swap) -> Answer<'_, ()> {
        self.request(Effect::SwapRecord(Box::new(swap)), done)
    }

    /// [`Effect::ListRecords`]
    pub fn list_records(&self, under: String, limit: u32) -> Answer<'_, FolderNames> {
        self.request(Effect::ListRecords { under, limit }, names)
    }

    /// [`Effect::Git`]
    pub fn git(&self, folder: &str, arguments: &[&str]) -> Answer<'_, Vec<u8>> {
        let effect = Effect::Git {
            folder: folder.to_owned(),
            arguments: arguments.iter().map(|&it| it.to_owned()).collect(),
        };
        self.request(effect, bytes)
    }

    /// [`Effect::Print`]
    pub fn print(&self, stream: Stream, text: String) -> Answer<'_, ()> {
        self.request(Effect::Print { stream, text }, done)
    }

    /// [`Effect::Input`]
    pub fn input(&self, limit: u32, until: Until) -> Answer<'_, Vec<u8>> {
        self.request(Effect::Input { limit, until }, bytes)
    }

    /// [`Effect::CountTokens`]
    pub fn count_tokens(&self, encoding: Encoding, text: &str, limit: u32) -> Answer<'_, Counted> {
        let effect = Effect::CountTokens {
            encoding,
            text: text.to_owned(),
            limit,
        };
        self.request(effect, |outcome| match outcome {
            Outcome::Counted { tokens, kept } => Ok(Counted { tokens, kept }),
            other => Err(other),
        })
    }
}
