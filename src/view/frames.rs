//! The stream that files come in: each frame a line of JSON, and behind it the bytes of a file where the line
//! says so. It may be cut anywhere.

use crate::effect::Fault;
use crate::error::Error;
use crate::json::{self, Json, Object};

/// A line longer than this is no frame: the longest one names all the files that git tracks.
const MAX_LINE_BYTES: usize = 64 << 20;

/// So much room is made for the bytes of a file before they are there: a line can claim anything.
const MAX_CLAIMED_BYTES: usize = 17 << 20;

/// One thing that a source says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Frame {
    /// The known facts of the place.
    Meta(Object),
    /// A file.
    File {
        path: String,
        modified_ms: u64,
        id: Option<String>,
        content: KnownContent,
    },
    /// A symbolic link, which leads nowhere here.
    Link { path: String },
    /// A folder, of whose entries nothing is said.
    Folder {
        path: String,
        id: Option<String>,
        fault: Option<Fault>,
    },
    /// All entries of this folder are known.
    Listed { path: String },
    /// Nothing is there any more, nor below it.
    Gone { path: String },
    /// The end of what is brought at the beginning.
    Done,
}

/// The known content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KnownContent {
    Here(Vec<u8>),
    /// It has so many bytes, which were not brought.
    Sized(u64),
    /// It has so many bytes, which cannot be read.
    Unreadable(u64, Fault),
}

impl Frame {
    /// The path that it is about; empty for all of the place.
    pub(super) fn path(&self) -> &str {
        match self {
            Frame::File { path, .. }
            | Frame::Link { path }
            | Frame::Folder { path, .. }
            | Frame::Listed { path }
            | Frame::Gone { path } => path.trim_matches('/'),
            Frame::Meta(_) | Frame::Done => "",
        }
    }
}

impl KnownContent {
    /// Returns the size of the file in bytes.
    pub(super) fn size(&self) -> u64 {
        match self {
            KnownContent::Here(bytes) => bytes.len() as u64,
            KnownContent::Sized(size) | KnownContent::Unreadable(size, _) => *size,
        }
    }
}

/// Reads frames out of parts of the stream.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The beginning of a line.
    line: Vec<u8>,
    /// A file whose bytes are not all there.
    file: Option<Cut>,
}

#[derive(Debug)]
struct Cut {
    header: Object,
    bytes: Vec<u8>,
    missing: usize,
}

impl Frames {
    /// Shows each frame that ends in this part of the stream.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for what is no frame: the beginning of the next one is then unknown.
    pub(super) fn take(
        &mut self,
        mut part: &[u8],
        mut show: impl FnMut(Frame),
    ) -> Result<(), Error> {
        loop {
            if let Some(cut) = &mut self.file {
                let (bytes, rest) = part.split_at(cut.missing.min(part.len()));
                cut.bytes.extend_from_slice(bytes);
                cut.missing -= bytes.len();
                part = rest;
                if cut.missing > 0 {
                    return Ok(());
                }
            }
            if let Some(Cut { header, bytes, .. }) = self.file.take() {
                show(frame(header, Some(bytes))?);
            }
            let Some(end) = part.iter().position(|byte| *byte == b'\n') else {
                self.line.extend_from_slice(part);
                return match self.line.len() > MAX_LINE_BYTES {
                    true => Err(broken("a line that does not end")),
                    false => Ok(()),
                };
            };
            let (line, rest) = part.split_at(end);
            part = &rest[1..];
            let header = match self.line.is_empty() {
                true => header(line),
                false => {
                    self.line.extend_from_slice(line);
                    header(&std::mem::take(&mut self.line))
                }
            }?;
            match header.get("bytes") {
                Some(bytes) => {
                    let missing = bytes.as_u64().and_then(|bytes| usize::try_from(bytes).ok());
                    let missing = missing.ok_or_else(|| broken("a file of no size that fits"))?;
                    self.file = Some(Cut {
                        header,
                        bytes: Vec::with_capacity(missing.min(MAX_CLAIMED_BYTES)),
                        missing,
                    });
                }
                None => show(frame(header, None)?),
            }
        }
    }
}

fn header(line: &[u8]) -> Result<Object, Error> {
    match json::read(line).map(|reading| reading.value) {
        Ok(Json::Object(header)) => Ok(header),
        Ok(other) => Err(broken(other.kind())),
        Err(malformed) => Err(broken(&malformed.to_string())),
    }
}

fn frame(mut header: Object, bytes: Option<Vec<u8>>) -> Result<Frame, Error> {
    let text = |key: &str| Some(header.get(key)?.as_str()?.to_owned());
    let id = text("id");
    let fault = text("fault").map(|fault| match fault.as_str() {
        "denied" => Fault::Denied,
        _ => Fault::Other,
    });
    if let Some(path) = text("file") {
        let size = header.get("size").and_then(Json::as_u64).unwrap_or(0);
        let content = match (bytes, fault) {
            (Some(bytes), _) => KnownContent::Here(bytes),
            (None, Some(fault)) => KnownContent::Unreadable(size, fault),
            (None, None) => KnownContent::Sized(size),
        };
        return Ok(Frame::File {
            path,
            modified_ms: milliseconds(&header, "modified"),
            id,
            content,
        });
    }
    if let Some(path) = text("folder") {
        return Ok(Frame::Folder { path, id, fault });
    }
    if let Some(path) = text("link") {
        return Ok(Frame::Link { path });
    }
    if let Some(path) = text("listed") {
        return Ok(Frame::Listed { path });
    }
    if let Some(path) = text("gone") {
        return Ok(Frame::Gone { path });
    }
    match (header.remove("meta"), header.get("done")) {
        (Some(Json::Object(meta)), _) => Ok(Frame::Meta(meta)),
        (None, Some(_)) => Ok(Frame::Done),
        _ => Err(broken("a line that says nothing of a file")),
    }
}

/// The whole milliseconds of a time.
pub(super) fn milliseconds(object: &Object, key: &str) -> u64 {
    match object.get(key) {
        Some(Json::Number(text)) => {
            let whole = text.split(['.', 'e', 'E']).next().unwrap_or_default();
            whole.parse().unwrap_or_default()
        }
        _ => 0,
    }
}

fn broken(found: &str) -> Error {
    Error::usage(format!(
        "Expected the next frame of the files to be shown, found {found}"
    ))
}
