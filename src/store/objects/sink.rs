//! The destination of the bytes of a content that is given back.

use crate::effect::{Access, Failed, Fault, Io, Sync};
use crate::error::Error;

/// The destination of bytes.
pub(super) enum Sink<'a> {
    Nowhere,
    Memory(Vec<u8>, u32),
    File(Copy<'a>),
}

/// A file that is being written.
pub(super) struct Copy<'a> {
    io: &'a Io,
    to: String,
    shown: &'a str,
    access: Access,
    sync: Sync,
    is_made: bool,
}

impl Sink<'_> {
    /// Refuses a content of this size where there is no room for it.
    pub(super) fn expect(&self, sha256: &str, size: u64) -> Result<(), Error> {
        match self {
            Sink::Memory(_, limit) if size > u64::from(*limit) => {
                let message = format!("The content {sha256} has more than {limit} bytes");
                Err(Error::too_large(sha256.to_owned(), message))
            }
            _ => Ok(()),
        }
    }

    /// Takes the next piece.
    pub(super) async fn take(
        &mut self,
        sha256: &str,
        piece: Vec<u8>,
        is_last: bool,
    ) -> Result<(), Error> {
        self.expect(sha256, piece.len() as u64)?;
        match self {
            Sink::Nowhere => Ok(()),
            Sink::Memory(bytes, _) => {
                bytes.extend_from_slice(&piece);
                Ok(())
            }
            Sink::File(copy) => {
                let written = copy.write(piece, is_last).await;
                written.map_err(|failed| match failed.fault {
                    Fault::NotFound => swept(copy.shown),
                    _ => failed.cannot("write", copy.shown),
                })
            }
        }
    }
}

impl<'a> Copy<'a> {
    pub(super) fn new(io: &'a Io, to: String, shown: &'a str, access: Access, sync: Sync) -> Self {
        Copy {
            io,
            to,
            shown,
            access,
            sync,
            is_made: false,
        }
    }

    /// Removes what was written of a content that cannot be given back whole.
    pub(super) async fn drop_it(&self) {
        if self.is_made {
            let _ = self.io.remove(self.to.clone()).await;
        }
    }

    /// The next piece. With the last one the file is as durable as it has to be.
    async fn write(&mut self, piece: Vec<u8>, is_last: bool) -> Result<(), Failed> {
        let sync = match is_last {
            true => self.sync,
            false => Sync::Lazy,
        };
        let to = self.to.clone();
        if self.is_made {
            return self.io.append(to, piece, sync).await;
        }
        let made = self.io.create(to, piece, sync, self.access).await;
        // After a fault it may be there, in part; of a name that was taken it is another's.
        let is_taken = matches!(&made, Err(failed) if failed.fault == Fault::Exists);
        self.is_made = !is_taken;
        made
    }
}

/// The file that is being written is gone: another restore took this one for dead.
pub(crate) fn swept(path: &str) -> Error {
    let message = format!(
        "What was prepared for {path} is gone, because another restore of files has begun: run one of them \
         again, and it is finished"
    );
    Error::conflict(message, Vec::new())
}
