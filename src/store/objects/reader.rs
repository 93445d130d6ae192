//! Giving contents back, and looking whether they could be.

use super::find::{ObjectFault, both, check, find, whole};
use super::form::{List, PIECE_BYTES, piece};
use super::name::{ObjectForm, ObjectName};
use super::sink::{Copy, Sink};
use crate::digest::Hashing;
use crate::effect::{Access, Io, PathKind, Sync};
use crate::error::Error;
use crate::store::location::StoreFolder;
use crate::str_map;

/// The number of paths that are looked at in one effect.
const BATCH: usize = 1_000;

/// A content that cannot be given back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The content.
    pub sha256: String,
    /// The object that is to blame, relative to the root.
    pub object: String,
    /// The problem with it.
    pub lack: ObjectFault,
}

impl Broken {
    fn new(folder: &StoreFolder, sha256: &str, below: &str, lack: ObjectFault) -> Self {
        Broken {
            sha256: sha256.to_owned(),
            object: folder.shown(below),
            lack,
        }
    }
}

/// The depth of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Looks whether the objects are there.
    Names,
    /// Looks whether they hold all the bytes that their names stand for.
    Bytes,
}

/// Reads contents.
#[derive(Debug)]
pub struct ContentReader<'a> {
    io: &'a Io,
    folder: &'a StoreFolder,
}

impl<'a> ContentReader<'a> {
    /// Reads the contents that belong to a folder of documents.
    ///
    /// # Errors
    ///
    /// [`Error::unsafe_path`] when a part on the way is a symbolic link or no folder; [`Error::io`].
    pub async fn open(io: &'a Io, folder: &'a StoreFolder) -> Result<Self, Error> {
        check(io, folder).await?;
        Ok(ContentReader { io, folder })
    }

    /// The contents among these that cannot be given back, each once, in their order.
    ///
    /// # Errors
    ///
    /// [`Error::io`] when the host cannot look.
    pub async fn check(&self, contents: &[&str], depth: Depth) -> Result<Vec<Broken>, Error> {
        let mut broken = Vec::new();
        let seen: str_map::StrSet<'_> = contents.iter().copied().collect();
        for batch in seen.keys().chunks(BATCH) {
            let kinds = self.kinds(batch).await?;
            for (sha256, kinds) in batch.iter().zip(&kinds) {
                let checked = match (depth, kinds) {
                    (Depth::Names, [PathKind::File, _]) => Ok(()),
                    (Depth::Names, _) => self.check_names(sha256, kinds).await?,
                    (Depth::Bytes, _) => {
                        let sink = &mut Sink::Nowhere;
                        self.write_to(sha256, kinds, sink).await?.map(|_| ())
                    }
                };
                broken.extend(checked.err());
            }
        }
        Ok(broken)
    }

    /// Writes a content into a new file and answers its size. The bytes are compared with the name: where
    /// they are not the same, no file is left.
    ///
    /// # Errors
    ///
    /// [`Error::io`] when the file cannot be written or an object not be read; `shown` is the file as
    /// messages name it. No file is left.
    pub async fn copy_out(
        &self,
        sha256: &str,
        to: String,
        shown: &str,
        access: Access,
        sync: Sync,
    ) -> Result<Result<u64, Broken>, Error> {
        let mut sink = Sink::File(Copy::new(self.io, to, shown, access, sync));
        let kinds = self.kinds(&[sha256]).await?;
        let written = self.write_to(sha256, &kinds[0], &mut sink).await;
        if let (Sink::File(copy), Err(_) | Ok(Err(_))) = (&sink, &written) {
            copy.drop_it().await;
        }
        written
    }

    /// A content of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// [`Error::too_large`] when it has more; [`Error::io`].
    pub async fn read(&self, sha256: &str, limit: u32) -> Result<Result<Vec<u8>, Broken>, Error> {
        let mut sink = Sink::Memory(Vec::new(), limit);
        let kinds = self.kinds(&[sha256]).await?;
        let written = self.write_to(sha256, &kinds[0], &mut sink).await?;
        Ok(written.map(|_| match sink {
            Sink::Memory(bytes, _) => bytes,
            _ => Vec::new(),
        }))
    }

    /// Returns the objects that hold these contents, and the contents whose objects are unknown.
    pub(super) async fn needed_by(
        &self,
        contents: &[&str],
    ) -> Result<(Vec<ObjectName>, Vec<Broken>), Error> {
        let (mut names, mut broken) = (Vec::new(), Vec::new());
        for batch in contents.chunks(BATCH) {
            let kinds = self.kinds(batch).await?;
            for (sha256, kinds) in batch.iter().zip(&kinds) {
                let Some([single, list]) = both(sha256) else {
                    broken.push(Broken::new(
                        self.folder,
                        sha256,
                        sha256,
                        ObjectFault::Missing,
                    ));
                    continue;
                };
                if kinds[0] == PathKind::File {
                    names.push(single);
                    continue;
                }
                match self.parts(sha256, kinds).await? {
                    Ok(ContentObjects::Piece(_)) => names.push(single),
                    Ok(ContentObjects::List(parts)) => {
                        names.push(list);
                        names.extend(parts.pieces);
                    }
                    Err(it) => broken.push(it),
                }
            }
        }
        Ok((names, broken))
    }

    /// Returns the kinds of the files where the piece and the list of each content belong.
    async fn kinds(&self, contents: &[&str]) -> Result<Vec<[PathKind; 2]>, Error> {
        let names = contents.iter().map(|it| both(it));
        let path = |name: ObjectName| self.folder.shown(&name.below());
        let paths: Vec<String> = names.clone().flatten().flatten().map(path).collect();
        let entries = self.folder.inspect(self.io, &paths).await?;
        let mut kinds = entries.iter().map(|it| it.kind);
        let mut next = || kinds.next().unwrap_or(PathKind::Absent);
        let both = |name: Option<_>| match name {
            Some(_) => [next(), next()],
            // No content has such a name.
            None => [PathKind::Absent; 2],
        };
        Ok(names.map(both).collect())
    }

    /// Checks whether the objects of a content are there whose piece is not where it belongs.
    async fn check_names(
        &self,
        sha256: &str,
        kinds: &[PathKind; 2],
    ) -> Result<Result<(), Broken>, Error> {
        let list = match self.parts(sha256, kinds).await? {
            Ok(ContentObjects::List(list)) => list,
            Ok(ContentObjects::Piece(_)) => return Ok(Ok(())),
            Err(broken) => return Ok(Err(broken)),
        };
        for batch in list.pieces.chunks(BATCH) {
            let paths: Vec<String> = batch
                .iter()
                .map(|it| self.folder.shown(&it.below()))
                .collect();
            let entries = self.folder.inspect(self.io, &paths).await?;
            for (piece, entry) in batch.iter().zip(entries) {
                if entry.kind == PathKind::File {
                    continue;
                }
                let found = find(self.io, self.folder, *piece, &whole(*piece)).await?;
                if let Err(lack) = found {
                    return Ok(Err(self.broken(sha256, *piece, lack)));
                }
            }
        }
        Ok(Ok(()))
    }

    /// The one piece of a content, or its list.
    async fn parts(
        &self,
        sha256: &str,
        kinds: &[PathKind; 2],
    ) -> Result<Result<ContentObjects, Broken>, Error> {
        let Some([single, list]) = both(sha256) else {
            let lack = ObjectFault::Missing;
            return Ok(Err(Broken::new(self.folder, sha256, sha256, lack)));
        };
        let open_piece = |stored: &[u8]| piece(single, stored).map(ContentObjects::Piece);
        let open_list = |stored: &[u8]| List::of_text(list, stored).map(ContentObjects::List);
        let of_piece: (ObjectName, Open<'_>) = (single, &open_piece);
        let of_list: (ObjectName, Open<'_>) = (list, &open_list);
        let in_order = match kinds {
            [PathKind::Absent, PathKind::File] => [of_list, of_piece],
            _ => [of_piece, of_list],
        };
        let mut wrong = (single, ObjectFault::Missing);
        for (name, open) in in_order {
            match find(self.io, self.folder, name, open).await? {
                Ok(parts) => return Ok(Ok(parts)),
                Err(ObjectFault::Damaged) => wrong = (name, ObjectFault::Damaged),
                Err(ObjectFault::Missing) => {}
            }
        }
        Ok(Err(self.broken(sha256, wrong.0, wrong.1)))
    }

    /// Gives the bytes of a content, a piece at a time, and answers how many they were.
    async fn write_to(
        &self,
        sha256: &str,
        kinds: &[PathKind; 2],
        into: &mut Sink<'_>,
    ) -> Result<Result<u64, Broken>, Error> {
        let list = match self.parts(sha256, kinds).await? {
            Ok(ContentObjects::Piece(bytes)) => {
                let size = bytes.len() as u64;
                into.take(sha256, bytes, true).await?;
                return Ok(Ok(size));
            }
            Ok(ContentObjects::List(list)) => list,
            Err(broken) => return Ok(Err(broken)),
        };
        into.expect(sha256, list.size)?;
        let mut hashing = Hashing::default();
        let mut size = 0;
        let last = list.pieces.len().saturating_sub(1);
        let damaged = |below: &str| Broken::new(self.folder, sha256, below, ObjectFault::Damaged);
        for (at, name) in list.pieces.iter().enumerate() {
            let open = |stored: &[u8]| piece(*name, stored);
            let bytes = match find(self.io, self.folder, *name, &open).await? {
                Ok(bytes) => bytes,
                Err(lack) => return Ok(Err(self.broken(sha256, *name, lack))),
            };
            hashing.update(&bytes);
            size += bytes.len() as u64;
            let is_short = bytes.len() < PIECE_BYTES as usize && at < last;
            let is_other = at == last && hashing.clone().sha256() != sha256;
            if is_short || is_other {
                let below = ObjectName::new(sha256, ObjectForm::List).map(ObjectName::below);
                return Ok(Err(damaged(&below.unwrap_or_default())));
            }
            into.take(sha256, bytes, at == last).await?;
        }
        Ok(Ok(size))
    }

    fn broken(&self, sha256: &str, name: ObjectName, lack: ObjectFault) -> Broken {
        Broken::new(self.folder, sha256, &name.below(), lack)
    }
}

/// Makes something of a stored object that is whole.
type Open<'a> = &'a dyn Fn(&[u8]) -> Option<ContentObjects>;

/// The objects that hold a content.
enum ContentObjects {
    Piece(Vec<u8>),
    List(List),
}
