//! Reading the files of one document, whole and of bounded size.

use crate::effect::{Failed, Fault, Io, Links};
use crate::error::Error;

use crate::store::location::{MAX_NAMES, Paths, Storage, StoreFolder, while_shared};

/// The largest document that is read or written.
pub const MAX_DOCUMENT_BYTES: u32 = MAX_DOCUMENT_MIB << 20;

/// The limit in MiB, for messages.
pub const MAX_DOCUMENT_MIB: u32 = 16;

/// The places of the files of a document, and the handle to read them.
#[derive(Debug)]
pub(in crate::store) struct DocumentReader<'a> {
    pub(in crate::store) io: &'a Io,
    pub(in crate::store) folder: StoreFolder,
    pub(in crate::store) paths: Paths,
}

impl DocumentReader<'_> {
    /// The document's bytes as they are at this moment; `None` when it is absent.
    pub(in crate::store) async fn bytes(&self) -> Result<Option<Vec<u8>>, Error> {
        self.bytes_of(&self.paths.document).await
    }

    /// The bytes of a file of the store; `None` when it is absent.
    pub(in crate::store) async fn bytes_of(&self, below: &str) -> Result<Option<Vec<u8>>, Error> {
        bytes_of(self.io, &self.folder, below).await
    }

    /// The names in a folder of the store; none where it is absent.
    pub(in crate::store) async fn names(&self, below: &str) -> Result<Vec<String>, Error> {
        self.folder.names(self.io, below, MAX_NAMES).await
    }

    /// The document's path, as messages show it.
    pub(in crate::store) fn shown(&self) -> String {
        self.folder.shown(&self.paths.document)
    }

    pub(in crate::store) fn error(&self, failed: &Failed) -> Error {
        self.folder.error("read", &self.paths.document, failed)
    }
}

/// The bytes of a file, or a record, in a folder; `None` when it is absent.
pub(in crate::store) async fn bytes_of(
    io: &Io,
    folder: &StoreFolder,
    below: &str,
) -> Result<Option<Vec<u8>>, Error> {
    let path = folder.host(below);
    let read = match folder.storage() {
        Storage::Records => io.read_record(path).await,
        Storage::Files => {
            let read = || io.read(path.clone(), MAX_DOCUMENT_BYTES, Links::Refuse);
            while_shared(io, read).await
        }
    };
    match read {
        Ok(bytes) if bytes.len() > MAX_DOCUMENT_BYTES as usize => {
            Err(too_large(&folder.shown(below)))
        }
        Ok(bytes) => Ok(Some(bytes)),
        Err(Failed {
            fault: Fault::NotFound,
            ..
        }) => Ok(None),
        Err(Failed {
            fault: Fault::TooLarge,
            ..
        }) => Err(too_large(&folder.shown(below))),
        Err(failed) => Err(folder.error("read", below, &failed)),
    }
}

/// Refuses what is too large from its size alone.
pub(in crate::store) fn check_size(
    folder: &StoreFolder,
    paths: &Paths,
    size: u64,
) -> Result<(), Error> {
    if size > u64::from(MAX_DOCUMENT_BYTES) {
        return Err(too_large(&folder.shown(&paths.document)));
    }
    Ok(())
}

/// Refuses to write so many bytes as a document, which is not there yet: a patch or a merge makes it.
pub(in crate::store) fn check_written(
    folder: &StoreFolder,
    paths: &Paths,
    bytes: usize,
) -> Result<(), Error> {
    if bytes <= MAX_DOCUMENT_BYTES as usize {
        return Ok(());
    }
    let path = folder.shown(&paths.document);
    let message = sentence!(
        "With this change {path} would be larger than {MAX_DOCUMENT_MIB} MiB; nothing was written, \
         and the stored document is unchanged"
    );
    Err(Error::too_large(path, message))
}

fn too_large(path: &str) -> Error {
    let message =
        sentence!("{path} is larger than {MAX_DOCUMENT_MIB} MiB; expected a checkpoint below that");
    Error::too_large(path.to_owned(), message)
}
