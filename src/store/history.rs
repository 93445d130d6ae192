//! The revisions that were replaced, and what was found corrupt.

use crate::digest;
use crate::effect::{Failed, Fault, Sync};
use crate::error::{Error, ErrorKind};
use crate::json::{self, Json, Object};
use crate::keys;

use super::paths::{PREPARING, REPLACED};
use super::reader::{Reader, check_size};
use super::seal::{self, MAX_REVISION, Mark, Stamp};

/// How many corrupt documents are kept.
const KEPT_QUARANTINED: usize = 3;

/// More names than this in one folder of the store cannot come from the store.
pub const MAX_NAMES: u32 = 10_000;

/// One stored revision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// Its number.
    pub number: u64,
    /// The fingerprint of its bytes.
    pub fingerprint: String,
    /// Whether it changed something.
    pub mark: Mark,
}

impl Revision {
    /// The revision that a state of the document has in history. The digest in a seal is the
    /// fingerprint of the bytes.
    pub(super) fn of(stamp: &Stamp) -> Self {
        let fingerprint = seal::parts(&stamp.seal).map_or("", |(_, digest)| digest);
        Revision {
            number: stamp.revision,
            fingerprint: fingerprint.to_owned(),
            mark: stamp.mark(),
        }
    }

    /// The document of this revision, under the revision and seal that name this state: those that
    /// it carries, where this store wrote it.
    pub fn stamped(&self, mut object: Object) -> Object {
        let seal = object.get("seal").and_then(Json::as_str);
        let digest = seal.and_then(seal::parts);
        let sealed =
            digest.is_some_and(|(id, digest)| digest::is_id(id) && digest == self.fingerprint);
        if !sealed || object.get("revision").and_then(Json::as_u64) != Some(self.number) {
            object.remove("revision");
            object.remove("seal");
            object.set("revision", self.number);
            object.set("seal", seal::edited(&self.fingerprint));
        }
        object
    }

    /// The entry's file name.
    pub(super) fn file(&self) -> String {
        let ending = self.mark.ending();
        format!("{}-{}{ending}.json", self.number, self.fingerprint)
    }

    pub(super) fn of_file(file: &str) -> Option<Self> {
        let (name, mark) = Mark::split(file.strip_suffix(".json")?);
        let (number, fingerprint) = name.split_once('-')?;
        let digits = !number.starts_with('0') && number.bytes().all(|b| b.is_ascii_digit());
        let number: u64 = number
            .parse()
            .ok()
            .filter(|n| digits && *n <= MAX_REVISION + 2)?;
        digest::is_id(fingerprint).then(|| Revision {
            number,
            fingerprint: fingerprint.to_owned(),
            mark,
        })
    }
}

/// Which revision is to take the document's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The newest one below this number that is whole and accepted.
    Below(u64),
    /// The newest such one below the newest change that is below this number: heartbeats between
    /// them are passed over.
    BelowChange(u64),
    /// This one and no other.
    Exactly(u64),
}

/// Makes the document to write of one from history, or says why it cannot be written.
pub type Accept<'a> = dyn FnMut(Object) -> Result<Object, Error> + 'a;

/// What an entry of history holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The document, whole.
    Whole(Object),
    /// The bytes are not those that were recorded.
    Altered,
}

pub(super) struct History<'a> {
    pub(super) reader: &'a Reader<'a>,
}

impl History<'_> {
    /// The stored revisions, in any order.
    pub(super) async fn kept(&self) -> Result<Vec<Revision>, Error> {
        let names = self.names(&self.reader.paths.history()).await?;
        let revisions = names.iter().filter_map(|name| Revision::of_file(name));
        Ok(revisions.collect())
    }

    /// The stored revisions, oldest first.
    pub(super) async fn revisions(&self) -> Result<Vec<Revision>, Error> {
        let mut revisions = self.kept().await?;
        // Digits of one length are in the order of their numbers.
        let padded: Vec<String> = revisions
            .iter()
            .map(|it| format!("{:016}-{}", it.number, it.fingerprint))
            .collect();
        let order = keys::order(&padded.iter().map(String::as_str).collect::<Vec<_>>());
        Ok(order
            .into_iter()
            .map(|at| std::mem::take(&mut revisions[at]))
            .collect())
    }

    /// The highest number in history.
    pub(super) async fn newest_revision(&self) -> Result<Option<u64>, Error> {
        let kept = self.kept().await?;
        Ok(kept.iter().map(|revision| revision.number).max())
    }

    /// The newest revision that is whole. One that cannot be read is passed over: it says nothing
    /// about those before it.
    pub(super) async fn last_good(&self) -> Result<Option<u64>, Error> {
        for revision in self.revisions().await?.iter().rev() {
            if let Ok(Some(Recorded::Whole(_))) = self.read(revision).await {
                return Ok(Some(revision.number));
            }
        }
        Ok(None)
    }

    /// One stored revision; `None` when it was trimmed meanwhile.
    pub(super) async fn read(&self, revision: &Revision) -> Result<Option<Recorded>, Error> {
        let below = self.reader.paths.entry(&revision.file());
        let Some(bytes) = self.reader.bytes_of(&below).await? else {
            return Ok(None);
        };
        if seal::fingerprint(&bytes) != revision.fingerprint {
            return Ok(Some(Recorded::Altered));
        }
        Ok(Some(
            match json::read(&bytes).map(|reading| reading.value) {
                Ok(Json::Object(object)) => Recorded::Whole(object),
                _ => Recorded::Altered,
            },
        ))
    }

    /// The revision that is wanted, as it was accepted; `None` where there is none below a number.
    pub(super) async fn pick(
        &self,
        wanted: Wanted,
        accept: &mut Accept<'_>,
    ) -> Result<Option<(Revision, Object)>, Error> {
        let mut refused = None;
        let mut is_below_change = false;
        for revision in self.revisions().await?.into_iter().rev() {
            let number = revision.number;
            let fits = match wanted {
                Wanted::Below(limit) => number < limit,
                Wanted::BelowChange(limit) => {
                    let fits = is_below_change;
                    is_below_change |= number < limit && revision.mark == Mark::Change;
                    fits
                }
                Wanted::Exactly(exact) => number == exact,
            };
            if !fits {
                continue;
            }
            let accepted = match self.read(&revision).await {
                // Trimmed meanwhile.
                Ok(None) => continue,
                Ok(Some(Recorded::Altered)) => {
                    let Reader { folder, paths, .. } = self.reader;
                    Err(altered(
                        folder.shown(&paths.entry(&revision.file())),
                        &revision,
                    ))
                }
                Ok(Some(Recorded::Whole(object))) => accept(object),
                // It may be what is wanted, so that an older one is never taken in its place unseen.
                Err(error) => return Err(unread(error, wanted)),
            };
            match accepted {
                Ok(object) => return Ok(Some((revision, object))),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match wanted {
            Wanted::Below(_) | Wanted::BelowChange(_) => Ok(None),
            Wanted::Exactly(number) => Err(refused.unwrap_or_else(|| not_kept(number))),
        }
    }

    /// The document of this state, if history still has it.
    pub(super) async fn find(&self, stamp: &Stamp) -> Result<Option<Object>, Error> {
        let revision = Revision::of(stamp);
        if !digest::is_id(&revision.fingerprint) {
            return Ok(None);
        }
        match self.read(&revision).await? {
            Some(Recorded::Whole(object)) => Ok(Some(object)),
            _ => Ok(None),
        }
    }

    /// Keeps a durable copy of corrupt bytes, named by their content; returns where. `id` is nobody
    /// else's.
    pub(super) async fn quarantine(&self, bytes: &[u8], id: &str) -> Result<String, Error> {
        let Reader { io, folder, paths } = self.reader;
        folder.make_below(io, &paths.quarantine()).await?;
        let copy = format!("{}.json", digest::digest(&[bytes]));
        let below = paths.quarantined(&copy);
        let mut others = self.names(&paths.quarantine()).await?;
        if self.reader.bytes_of(&below).await?.as_deref() != Some(bytes) {
            let preparing = paths.quarantined(&format!("{id}{PREPARING}"));
            let mut kept = self.put(bytes, &preparing, &below).await;
            if matches!(&kept, Err(failed) if failed.fault == Fault::NotFound) {
                // Swept by a writer that took this one for dead.
                kept = self.put(bytes, &preparing, &below).await;
            }
            if let Err(failed) = kept {
                self.remove(&preparing).await;
                return Err(folder.error("write", &preparing, &failed));
            }
        }
        for synced in [paths.quarantine(), paths.own().to_owned()] {
            folder.sync(io, &synced).await?;
        }
        others
            .retain(|name| name.strip_suffix(".json").is_some_and(digest::is_id) && *name != copy);
        for name in keys::sort(others).iter().skip(KEPT_QUARANTINED - 1) {
            self.remove(&paths.quarantined(name)).await;
        }
        Ok(below)
    }

    /// Puts a document into history under this number. `id` is nobody else's.
    pub(super) async fn add(
        &self,
        number: u64,
        mark: Mark,
        mut object: Object,
        id: &str,
    ) -> Result<(), Error> {
        let Reader { io, folder, paths } = self.reader;
        let (bytes, stamp) = seal::write(&mut object, number, id, mark);
        check_size(folder, paths, bytes.len() as u64)?;
        let entry = paths.entry(&Revision::of(&stamp).file());
        // The same document has the same entry, whoever sealed it.
        let preparing = paths.entry(&format!("{id}{REPLACED}"));
        if let Err(failed) = self.put(&bytes, &preparing, &entry).await {
            self.remove(&preparing).await;
            return Err(folder.error("write", &entry, &failed));
        }
        folder.sync(io, &paths.history()).await
    }

    /// Writes a file that gets its name only when it is whole: a torn one would count as kept.
    async fn put(&self, bytes: &[u8], preparing: &str, below: &str) -> Result<(), Failed> {
        let Reader { io, folder, .. } = self.reader;
        let preparing = folder.host(preparing);
        io.create(preparing.clone(), bytes.to_owned(), Sync::Durable)
            .await?;
        io.rename(preparing, folder.host(below)).await
    }

    /// The names in a folder of the store; none where it is absent.
    pub(super) async fn names(&self, below: &str) -> Result<Vec<String>, Error> {
        let Reader { io, folder, .. } = self.reader;
        folder.names(io, below, MAX_NAMES).await
    }

    async fn remove(&self, below: &str) {
        // Left over, it takes space and is removed by a later commit; nothing depends on it.
        let _ = self.reader.io.remove(self.reader.folder.host(below)).await;
    }
}

/// An entry that could not be read.
fn unread(error: Error, wanted: Wanted) -> Error {
    let message = format!("{error}; an older revision is taken if it is asked for by its number");
    match (error.into_kind(), wanted) {
        (ErrorKind::Io { effect, path, .. }, Wanted::Below(_) | Wanted::BelowChange(_)) => {
            Error::io(effect, path, message)
        }
        (kind, _) => kind.into(),
    }
}

/// An entry, at this path, that does not hold what was recorded.
pub(super) fn altered(entry: String, revision: &Revision) -> Error {
    let reason = format!(
        "its digest does not hold: it is not what was kept as revision {}",
        revision.number
    );
    Error::corrupt(entry, reason, None)
}

/// A revision that history does not have.
pub(super) fn not_kept(number: u64) -> Error {
    ErrorKind::NotKept(number).into()
}
