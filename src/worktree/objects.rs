//! The objects of a repository, read over effects by parts of its files.

use crate::effect::{Failed, Fault, Io, Links};
use crate::git::folder::{join, resolve};
use crate::git::id::{Hash, Id};
use crate::git::objects::index::{PackIndex, SearchStep};
use crate::git::objects::pack::{PackStep, PackedObjectReader};
use crate::git::objects::{FileRange, GitObject, alternates, loose};
use crate::git::unreadable::Unreadable;

/// The most folders of objects to borrow from, each from another one, as git does.
const MOST_ALTERNATES: usize = 5;
/// A list of folders, and the names in `objects/pack`.
const LIST_BYTES: u32 = 1 << 20;
const MOST_PACK_FILES: u32 = 100_000;
/// A loose object is hardly larger than what it holds.
const LOOSE_EXTRA: usize = 64 << 10;

/// The reasons why an object is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lacking {
    /// It is in no folder, as in a partial clone.
    Missing,
    /// It is larger than the limit.
    TooLarge,
    /// It is there, and is not what its name says or cannot be unpacked.
    Damaged,
    /// The host could not read it.
    Failed(Failed),
}

impl Lacking {
    /// Returns the reason, as a sentence goes on after a colon.
    pub(crate) fn reason(&self) -> String {
        match self {
            Lacking::Missing => "the repository does not have it (a partial clone?)".to_owned(),
            Lacking::TooLarge => "it is larger than the limit".to_owned(),
            Lacking::Damaged => "it is damaged".to_owned(),
            Lacking::Failed(failed) => failed.reason(),
        }
    }
}

impl From<Failed> for Lacking {
    fn from(failed: Failed) -> Self {
        Lacking::Failed(failed)
    }
}

impl From<Unreadable> for Lacking {
    fn from(why: Unreadable) -> Self {
        match why {
            Unreadable::TooLarge => Lacking::TooLarge,
            Unreadable::Malformed | Unreadable::TooDeep => Lacking::Damaged,
        }
    }
}

/// The objects, with the files of them that were opened. Objects that git adds in between may be
/// missed.
#[derive(Debug)]
pub(crate) struct Objects {
    hash: Hash,
    /// The folder `objects`, and those that it borrows from once they were looked for.
    folders: Vec<String>,
    packs: Option<Vec<Pack>>,
    /// True if the last object was found in a pack, where the next one is looked for first.
    is_packed: bool,
}

/// One pack.
struct Pack {
    /// Its path without `.pack` and `.idx`.
    stem: String,
    index: Option<Box<PackIndex>>,
}

impl std::fmt::Debug for Pack {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.stem)
    }
}

impl Objects {
    /// Returns the objects below the git folder that all worktrees share.
    pub(crate) fn new(common: &str, hash: Hash) -> Objects {
        Objects {
            hash,
            folders: vec![join(common, "objects")],
            packs: None,
            is_packed: false,
        }
    }

    /// Returns the hash that names them.
    pub(crate) fn hash(&self) -> Hash {
        self.hash
    }

    /// The object with this id, which was verified.
    pub(crate) async fn read(
        &mut self,
        io: &Io,
        id: Id,
        limit: usize,
    ) -> Result<GitObject, Lacking> {
        let packed_first = self.is_packed;
        // The folders that are borrowed from become known with the packs.
        for is_packed in [packed_first, !packed_first, false] {
            let found = match is_packed {
                true => self.packed(io, id, limit).await?,
                false => self.loose(io, id, limit).await?,
            };
            if let Some(object) = found {
                self.is_packed = is_packed;
                let is_it = object.id(self.hash) == id;
                return is_it.then_some(object).ok_or(Lacking::Damaged);
            }
        }
        Err(Lacking::Missing)
    }

    async fn loose(&self, io: &Io, id: Id, limit: usize) -> Result<Option<GitObject>, Lacking> {
        let most = u32::try_from(limit + limit / 8 + LOOSE_EXTRA).unwrap_or(u32::MAX);
        for folder in &self.folders {
            let file = join(folder, &loose::path(&id));
            match io.read(file, most, Links::Follow).await {
                Ok(bytes) => return Ok(Some(loose::read(&bytes, limit)?)),
                Err(failed) if is_absent(&failed) => {}
                Err(failed) if failed.fault == Fault::TooLarge => return Err(Lacking::TooLarge),
                Err(failed) => return Err(failed.into()),
            }
        }
        Ok(None)
    }

    async fn packed(
        &mut self,
        io: &Io,
        id: Id,
        limit: usize,
    ) -> Result<Option<GitObject>, Lacking> {
        if self.packs.is_none() {
            self.packs = Some(self.look_for_packs(io).await?);
        }
        let Some(packs) = &mut self.packs else {
            return Ok(None);
        };
        for at in 0..packs.len() {
            let Some(offset) = find(io, &mut packs[at], id, self.hash).await? else {
                continue;
            };
            let object = unpack(io, &mut packs[at], offset, self.hash, limit).await?;
            // The next one is most probably beside it.
            packs.swap(0, at);
            return Ok(Some(object));
        }
        Ok(None)
    }

    /// Lists the packs, and follows the list of folders that are borrowed from.
    async fn look_for_packs(&mut self, io: &Io) -> Result<Vec<Pack>, Lacking> {
        let mut packs = Vec::new();
        let mut next = 0;
        let mut depths = vec![0; self.folders.len()];
        while let Some(folder) = self.folders.get(next).cloned() {
            let listed = match io.list(join(&folder, "pack"), MOST_PACK_FILES).await {
                Ok(names) => names.names,
                Err(failed) if is_absent(&failed) => Vec::new(),
                Err(failed) => return Err(failed.into()),
            };
            let stems = listed.iter().filter_map(|name| name.strip_suffix(".idx"));
            packs.extend(stems.map(|stem| Pack {
                stem: join(&join(&folder, "pack"), stem),
                index: None,
            }));
            let list = join(&folder, "info/alternates");
            let borrowed = match io.read(list, LIST_BYTES, Links::Follow).await {
                Ok(bytes) => alternates::folders(&bytes),
                Err(failed) if is_absent(&failed) => Vec::new(),
                Err(failed) => return Err(failed.into()),
            };
            for other in borrowed.into_iter().flatten() {
                let other = resolve(&folder, &other);
                if depths[next] < MOST_ALTERNATES && !self.folders.contains(&other) {
                    self.folders.push(other);
                    depths.push(depths[next] + 1);
                }
            }
            next += 1;
        }
        Ok(packs)
    }
}

fn is_absent(failed: &Failed) -> bool {
    matches!(failed.fault, Fault::NotFound | Fault::WrongKind)
}

async fn part(io: &Io, stem: &str, ending: &str, part: FileRange) -> Result<Vec<u8>, Failed> {
    let file = [stem, ending].concat();
    io.part(file, part.offset, part.length, Links::Follow).await
}

/// Returns the place in a pack where an object begins.
async fn find(io: &Io, pack: &mut Pack, id: Id, hash: Hash) -> Result<Option<u64>, Lacking> {
    if pack.index.is_none() {
        let head = match part(io, &pack.stem, ".idx", PackIndex::HEAD).await {
            Ok(head) => head,
            // Git has repacked since the listing.
            Err(failed) if is_absent(&failed) => return Ok(None),
            Err(failed) => return Err(failed.into()),
        };
        pack.index = Some(Box::new(PackIndex::open(&head, hash)?));
    }
    let Some(mut search) = pack.index.as_ref().and_then(|it| it.search(id)) else {
        return Ok(None);
    };
    let mut next_part = search.part();
    loop {
        let bytes = part(io, &pack.stem, ".idx", next_part).await?;
        match search.read(&bytes)? {
            SearchStep::Read(next) => next_part = next,
            SearchStep::At(offset) => return Ok(Some(offset)),
            SearchStep::Nowhere => return Ok(None),
        }
    }
}

async fn unpack(
    io: &Io,
    pack: &mut Pack,
    offset: u64,
    hash: Hash,
    limit: usize,
) -> Result<GitObject, Lacking> {
    let mut reading = PackedObjectReader::new(hash, offset, limit);
    let mut next_part = reading.part();
    loop {
        let bytes = part(io, &pack.stem, ".pack", next_part).await?;
        next_part = match reading.read(&bytes)? {
            PackStep::Done(object) => return Ok(object),
            PackStep::Read(next) => next,
            // A pack has all bases of what is in it, as long as it is not on its way.
            PackStep::Base(id) => match find(io, pack, id, hash).await? {
                Some(offset) => reading.base_at(offset),
                None => return Err(Lacking::Damaged),
            },
        };
    }
}
