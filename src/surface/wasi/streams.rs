//! Standard input, output and error.

use crate::effect::{Failed, Fault, Outcome, Stream, Until};
use crate::surface::object::ObjectEnd;

use super::bindings::wasi::cli::{stderr, stdin, stdout};
use super::bindings::wasi::clocks::monotonic_clock;
use super::bindings::wasi::io::poll;
use super::bindings::wasi::io::streams::StreamError;
use super::fault::too_large;
use super::files::Result;

/// `blocking-write-and-flush` takes no more bytes in one call.
const MOST_WRITTEN: usize = 4096;
/// The most bytes that one read of standard input asks for.
const MOST_READ: u64 = 64 * 1024;
/// So long nothing may come of an object.
const SILENCE_NS: u64 = 3_000_000_000;

pub(super) fn print(stream: Stream, text: &str) -> Result<Outcome> {
    let stream = match stream {
        Stream::Output => stdout::get_stdout(),
        Stream::Error => stderr::get_stderr(),
    };
    for part in text.as_bytes().chunks(MOST_WRITTEN) {
        stream.blocking_write_and_flush(part).map_err(failed)?;
    }
    Ok(Outcome::Done)
}

pub(super) fn input(limit: u32, until: Until) -> Result<Outcome> {
    let stream = stdin::get_stdin();
    let most = match until {
        Until::End => MOST_READ,
        Until::Object => return object(limit),
        // The bytes behind the line are left to the next reader.
        Until::Line => 1,
    };
    let mut bytes = Vec::new();
    loop {
        match stream.blocking_read(most) {
            Ok(more) => bytes.extend(more),
            Err(StreamError::Closed) => return Ok(Outcome::Bytes(bytes)),
            Err(error) => return Err(failed(error)),
        }
        if bytes.len() > limit as usize {
            return Err(too_large(limit));
        }
        if until == Until::Line && bytes.last() == Some(&b'\n') {
            return Ok(Outcome::Bytes(bytes));
        }
    }
}

/// The input up to the end of its first object; nothing where it ends or falls silent before.
fn object(limit: u32) -> Result<Outcome> {
    let stream = stdin::get_stdin();
    let mut bytes = Vec::new();
    let mut end = ObjectEnd::default();
    loop {
        let silence = monotonic_clock::subscribe_duration(SILENCE_NS);
        let readable = stream.subscribe();
        let ready = poll::poll(&[&readable, &silence]);
        drop(readable);
        if !ready.contains(&0) {
            return Ok(Outcome::Bytes(Vec::new()));
        }
        let more = match stream.read(MOST_READ) {
            Ok(more) => more,
            Err(StreamError::Closed) => return Ok(Outcome::Bytes(Vec::new())),
            Err(error) => return Err(failed(error)),
        };
        let ends = end.find(&more);
        bytes.extend_from_slice(&more[..ends.unwrap_or(more.len())]);
        if bytes.len() > limit as usize {
            return Err(too_large(limit));
        }
        if ends.is_some() {
            return Ok(Outcome::Bytes(bytes));
        }
    }
}

fn failed(error: StreamError) -> Failed {
    let (fault, detail) = match error {
        StreamError::Closed => (Fault::Closed, "EPIPE: broken pipe".into()),
        StreamError::LastOperationFailed(error) => {
            let mut detail = error.to_debug_string();
            // With RUST_BACKTRACE a runtime adds its own stack on more lines.
            detail.truncate(detail.find('\n').unwrap_or(detail.len()));
            (Fault::Other, detail)
        }
    };
    Failed {
        effect: "",
        fault,
        detail,
    }
}
