//! The contents of the files that differ from HEAD, on their way into a snapshot.

use crate::checkpoint::session::known_files::KnownFiles;
use crate::checkpoint::session::plan::fact::{ContentKind, PathContent};
use crate::checkpoint::session::plan::path::problem;
use crate::checkpoint::session::snapshot::{
    BundlePart, Snapshot, SnapshotChange, SnapshotFile, SnapshotOmission,
};
use crate::checkpoint::session::withheld;
use crate::digest::sha256;
use crate::effect::{Failed, Links};
use crate::error::Error;
use crate::secret::find_secrets;
use crate::store::objects::{
    KeepDecision, KeepOutcome, KeptContent, ObjectWriter, PIECE_BYTES, ShownFilePart,
};
use crate::str_map::StrSet;
use crate::worktree::report::{self, PathState};

use super::secret_scan::SecretScan;
use super::snapshot_store::SnapshotStore;

/// Of files up to this size, many are kept as one content where they are kept for rewinds.
const MAX_BUNDLED: u32 = 128 << 10;

/// A file that is changed while it is read is read so often.
const READ_ATTEMPTS: u32 = 3;

/// The content of a file, or why it is not kept; `None` where it is gone.
type Read = Option<Result<KeptContent, String>>;

/// A snapshot whose files are being kept.
pub(super) struct Taking<'a, 'k> {
    store: &'a SnapshotStore<'a>,
    own: &'a [&'a str],
    writer: &'a mut ObjectWriter<'k>,
    allowed: StrSet<'a>,
    max_file_bytes: u64,
    bytes_left: u64,
    snapshot: Snapshot,
    /// The files of an earlier look; small files are kept together then.
    known: Option<&'a KnownFiles>,
    /// The bytes of small files that are not kept yet.
    bundle: Vec<u8>,
    /// The positions of these files in the snapshot, and the places of their bytes.
    bundled: Vec<(usize, u64)>,
    /// The positions of the files whose contents were kept before.
    referred: Vec<usize>,
}

/// The content of a path that is to be listed.
enum TakenContent {
    Nothing,
    Kept(PathContent),
    /// Its bytes are the last of the bundle.
    Bundled(PathContent, u64),
    /// It was kept before.
    Known(PathContent, Option<BundlePart>),
    LeftOut(String),
}

impl<'a, 'k> Taking<'a, 'k> {
    /// Begins with no file. `known` are the files of an earlier look, where small files are kept together.
    pub(super) fn new(
        (store, own): (&'a SnapshotStore<'a>, &'a [&'a str]),
        writer: &'a mut ObjectWriter<'k>,
        allowed: StrSet<'a>,
        (max_file_bytes, bytes_left): (u64, u64),
        known: Option<&'a KnownFiles>,
    ) -> Self {
        Taking {
            store,
            own,
            writer,
            allowed,
            max_file_bytes,
            bytes_left,
            snapshot: Snapshot::default(),
            known,
            bundle: Vec::new(),
            bundled: Vec::new(),
            referred: Vec::new(),
        }
    }

    /// Lists a file, and keeps its content.
    pub(super) async fn take(&mut self, file: &report::ReportedFile) -> Result<(), Error> {
        let Some(change) = file.change else {
            // Only the index differs.
            return Ok(());
        };
        // A restore would refuse it, and with it all the others.
        if let Some(why) = problem(&file.path, self.own) {
            self.leave_out(file, why.as_str());
            return Ok(());
        }
        let kept = |read: Read, kind, is_executable| match read {
            Some(Ok(kept)) => TakenContent::Kept(recorded(kept, kind, is_executable)),
            Some(Err(reason)) => TakenContent::LeftOut(reason),
            // It went since it was looked at.
            None => TakenContent::Nothing,
        };
        let taken = match (file.state, self.known_content(file)) {
            // The contents of a folder are listed by themselves.
            (PathState::Absent | PathState::Folder, _) => TakenContent::Nothing,
            (PathState::Special, _) => {
                TakenContent::LeftOut(report::UnscannedReason::Special.as_str().to_owned())
            }
            (_, Some(known)) => known,
            (PathState::Link, None) => match self.link(&file.path).await? {
                Ok(content) => TakenContent::Kept(content),
                Err(reason) => TakenContent::LeftOut(reason),
            },
            (
                PathState::File {
                    is_executable,
                    size,
                },
                None,
            ) => {
                let is_small = self.known.is_some() && size <= u64::from(MAX_BUNDLED);
                let small = match is_small {
                    true => self.small_file(&file.path, is_executable).await?,
                    false => None,
                };
                match small {
                    Some(taken) => taken,
                    None => {
                        let read = self.whole_file(&file.path).await?;
                        kept(read, ContentKind::File, is_executable)
                    }
                }
            }
        };
        let at = self.snapshot.files.len();
        let (content, within) = match taken {
            TakenContent::LeftOut(reason) => {
                self.leave_out(file, &reason);
                return Ok(());
            }
            TakenContent::Nothing => (None, None),
            TakenContent::Kept(content) => (Some(content), None),
            TakenContent::Bundled(content, offset) => {
                self.bundled.push((at, offset));
                (Some(content), None)
            }
            TakenContent::Known(content, within) => {
                self.referred.push(at);
                (Some(content), within)
            }
        };
        let change = match (&content, file.head.is_some()) {
            (None, true) => SnapshotChange::Deleted,
            // Neither is there any more.
            (None, false) => return Ok(()),
            (Some(_), true) if change != report::WorktreeChange::Added => SnapshotChange::Modified,
            (Some(_), _) => SnapshotChange::Added,
        };
        self.snapshot.files.push(SnapshotFile {
            path: file.path.clone(),
            change,
            content,
            is_staged: file.staged.is_some(),
            within,
        });
        Ok(())
    }

    /// Returns whether a file need not be read.
    pub(super) fn knows(&self, file: &report::ReportedFile) -> bool {
        let is_read = matches!(file.state, PathState::File { .. } | PathState::Link);
        !is_read || self.known_content(file).is_some()
    }

    /// The content of a file that is unchanged since an earlier look.
    fn known_content(&self, file: &report::ReportedFile) -> Option<TakenContent> {
        let known = self.known?.find(&file.path)?;
        let (stamp, _) = file.stamp?;
        let is_allowed = self.allowed.contains(&file.path);
        if known.stamp != Some(stamp) || known.is_allowed != is_allowed {
            return None;
        }
        if let Some(reason) = &known.omitted {
            return Some(TakenContent::LeftOut(reason.clone()));
        }
        let listed = known.listed.as_ref()?;
        let content = listed.content.as_ref()?;
        let (kind, is_executable) = match file.state {
            PathState::File { is_executable, .. } => (ContentKind::File, is_executable),
            _ => (ContentKind::Link, None),
        };
        let limit = match is_allowed {
            true => self.bytes_left,
            false => self.bytes_left.min(self.max_file_bytes),
        };
        let is_of_kind = content.kind == kind && content.size <= limit;
        is_of_kind.then(|| {
            let content = PathContent {
                is_executable,
                ..content.clone()
            };
            TakenContent::Known(content, listed.within.clone())
        })
    }

    /// Keeps a small file among others; `None` where it is to be kept by itself, or is gone.
    async fn small_file(
        &mut self,
        path: &str,
        is_executable: Option<bool>,
    ) -> Result<Option<TakenContent>, Error> {
        let is_allowed = self.allowed.contains(path);
        if withheld::reason(path).is_some() && !is_allowed {
            return Ok(None);
        }
        // One byte more shows that it has grown.
        let at = self.store.root.join(path);
        let read = self
            .store
            .io
            .part(at, 0, MAX_BUNDLED + 1, Links::Refuse)
            .await;
        let Ok(bytes) = read else { return Ok(None) };
        let size = bytes.len() as u64;
        if size > u64::from(MAX_BUNDLED) || size > self.bytes_left.min(self.max_file_bytes) {
            return Ok(None);
        }
        let mut search = SecretScan::default();
        if !is_allowed && search.sees(ShownFilePart::Bytes(&bytes)) == KeepDecision::Stop {
            return Ok(Some(TakenContent::LeftOut(
                search.found.unwrap_or_default(),
            )));
        }
        if self.bundle.len() + bytes.len() > PIECE_BYTES as usize {
            self.flush().await?;
        }
        self.bytes_left -= size;
        let offset = self.bundle.len() as u64;
        self.bundle.extend_from_slice(&bytes);
        let sha256 = sha256(&bytes);
        let content = recorded(
            KeptContent { size, sha256 },
            ContentKind::File,
            is_executable,
        );
        Ok(Some(TakenContent::Bundled(content, offset)))
    }

    /// Keeps the bundle.
    async fn flush(&mut self) -> Result<(), Error> {
        if self.bundled.is_empty() {
            return Ok(());
        }
        let bundle = std::mem::take(&mut self.bundle);
        let kept = self.writer.keep_bytes(&bundle).await?;
        for (at, offset) in std::mem::take(&mut self.bundled) {
            let file = &mut self.snapshot.files[at];
            let is_it_alone = file
                .content
                .as_ref()
                .is_some_and(|it| it.sha256 == kept.sha256);
            file.within = (!is_it_alone).then(|| BundlePart {
                sha256: kept.sha256.clone(),
                offset,
            });
        }
        Ok(())
    }

    /// Ends with all contents kept. One that was kept before, and is not there any more, is left out.
    pub(super) async fn finish(mut self) -> Result<Snapshot, Error> {
        self.flush().await?;
        let referred: Vec<&SnapshotFile> = self
            .referred
            .iter()
            .map(|at| &self.snapshot.files[*at])
            .collect();
        let contents: StrSet<'_> = referred
            .iter()
            .filter_map(|it| it.stored_sha256())
            .collect();
        let contents: Vec<&str> = contents.iter().map(|(it, ())| it).collect();
        let broken = self.writer.refer(&contents).await?;
        if broken.is_empty() {
            return Ok(self.snapshot);
        }
        Err(Error::corrupt(
            broken[0].object.clone(),
            "it is missing or damaged, and other files were kept in it".to_owned(),
            None,
        ))
    }

    /// Keeps a file, or says why not; `None` where it is gone. Of a file that changes during the read, no content mixes
    /// two states.
    async fn whole_file(&mut self, path: &str) -> Result<Read, Error> {
        for _ in 0..READ_ATTEMPTS {
            if let Some(ended) = self.file(path).await? {
                return Ok(ended);
            }
        }
        Ok(Some(Err("is being written".to_owned())))
    }

    /// Keeps a file, reading it once; `None` where it was changed during the read.
    async fn file(&mut self, path: &str) -> Result<Option<Read>, Error> {
        let is_allowed = self.allowed.contains(path);
        if let Some(reason) = withheld::reason(path)
            && !is_allowed
        {
            return Ok(Some(Some(Err(reason.to_owned()))));
        }
        let limit = match is_allowed {
            true => self.bytes_left,
            false => self.bytes_left.min(self.max_file_bytes),
        };
        let mut search = SecretScan::default();
        let mut scan = |shown: ShownFilePart<'_>| match is_allowed {
            true => KeepDecision::Continue,
            false => search.sees(shown),
        };
        let path = self.store.root.join(path);
        let kept = self.writer.keep_file(&path, limit, &mut scan).await?;
        let read = match kept {
            KeepOutcome::Content(content) => {
                self.bytes_left -= content.size.min(self.bytes_left);
                Ok(content)
            }
            KeepOutcome::TooLarge(size) => Err(too_large(size)),
            KeepOutcome::Stopped => Err(search.found.unwrap_or_default()),
            KeepOutcome::Gone => return Ok(Some(None)),
            KeepOutcome::Changed => return Ok(None),
            KeepOutcome::NoFile(kind) => Err(format!("is {} by now", kind.noun())),
            KeepOutcome::Unreadable(failed) => Err(unreadable(&failed)),
        };
        Ok(Some(Some(read)))
    }

    async fn link(&mut self, path: &str) -> Result<Result<PathContent, String>, Error> {
        match self.store.io.read_link(self.store.root.join(path)).await {
            Ok(target) if !find_secrets(&target).is_empty() => Ok(Err(
                "leads to a path that holds what looks like a secret".to_owned(),
            )),
            Ok(target) => {
                let content = self.writer.keep_bytes(&target).await?;
                Ok(Ok(recorded(content, ContentKind::Link, None)))
            }
            Err(failed) => Ok(Err(unreadable(&failed))),
        }
    }

    fn leave_out(&mut self, file: &report::ReportedFile, reason: &str) {
        self.snapshot.left_out.push(SnapshotOmission {
            path: file.path.clone(),
            reason: reason.to_owned(),
        });
    }
}

fn recorded(content: KeptContent, kind: ContentKind, is_executable: Option<bool>) -> PathContent {
    PathContent {
        kind,
        is_executable,
        permissions: None,
        size: content.size,
        sha256: content.sha256,
    }
}

pub(super) fn too_large(size: u64) -> String {
    format!("is too large with {size} bytes")
}

pub(super) fn unreadable(failed: &Failed) -> String {
    format!("cannot be read: {}", failed.reason())
}
