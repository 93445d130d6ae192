//! Standard input, output and error.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{self, PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use super::super::facts::NextPiece;
use super::super::fault::{Result, too_large};
use super::fault::{failed, io_failed};
use crate::effect::{Outcome, Stream, Until};
use crate::surface::object::ObjectEnd;

/// The most bytes that one read of standard input asks for.
const MOST_READ: usize = 64 * 1024;
/// The most bytes that one read of a program's output asks for.
const PIECE: usize = 4096;
/// Between two tries on a stream that is not ready: the other side may have made it non-blocking.
const STREAM_PAUSE: Duration = Duration::from_millis(5);
/// So long nothing may come of an object.
const SILENCE: Duration = Duration::from_secs(3);

/// Writes all of these bytes to a stream.
pub(in super::super) fn print(stream: Stream, bytes: &[u8]) -> Result<Outcome> {
    let (output, error) = (io::stdout(), io::stderr());
    let descriptor = match stream {
        Stream::Output => output.as_fd(),
        Stream::Error => error.as_fd(),
    };
    let mut rest = bytes;
    while !rest.is_empty() {
        let written = patiently(|| rustix::io::write(descriptor, rest))?;
        rest = &rest[written..];
    }
    Ok(Outcome::Done)
}

/// The output of a program, piece by piece.
pub(in super::super) struct PolledPieces<R>(R);

impl<R: AsFd + Read> PolledPieces<R> {
    pub(in super::super) fn of(output: R) -> Self {
        PolledPieces(output)
    }

    /// Adds the next piece to `bytes`, if it comes within `time`.
    pub(in super::super) fn next(
        &mut self,
        bytes: &mut Vec<u8>,
        time: Duration,
    ) -> Result<NextPiece> {
        if !is_ready(&self.0, time)? {
            return Ok(NextPiece::Silent);
        }
        let mut piece = [0; PIECE];
        loop {
            match self.0.read(&mut piece) {
                Ok(0) => return Ok(NextPiece::Ended),
                Ok(length) => {
                    bytes.extend_from_slice(&piece[..length]);
                    return Ok(NextPiece::Came);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(io_failed(error)),
            }
        }
    }
}

/// Waits until something can be read, or the end can be seen; false where nothing comes for so long.
fn is_ready(input: &impl AsFd, time: Duration) -> Result<bool> {
    let deadline = Instant::now() + time;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec {
            tv_sec: left.as_secs() as _,
            tv_nsec: left.subsec_nanos() as _,
        };
        let mut waited = [PollFd::new(input, PollFlags::IN)];
        match event::poll(&mut waited, Some(&left)) {
            Ok(ready) => return Ok(ready > 0),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(failed(errno)),
        }
    }
}

pub(in super::super) fn standard_input(limit: u32, until: Until) -> Result<Outcome> {
    let input = io::stdin();
    let input = input.as_fd();
    match until {
        Until::End => to_end(input, limit),
        Until::Line => line(input, limit),
        Until::Object => object(input, limit, SILENCE),
    }
}

fn to_end(input: BorrowedFd<'_>, limit: u32) -> Result<Outcome> {
    let mut bytes = Vec::new();
    loop {
        if read(input, &mut bytes, MOST_READ)? == 0 {
            return Ok(Outcome::Bytes(bytes));
        }
        if bytes.len() > limit as usize {
            return Err(too_large(limit));
        }
    }
}

/// Byte by byte: what is behind the line is left to the next reader.
fn line(input: BorrowedFd<'_>, limit: u32) -> Result<Outcome> {
    let mut bytes = Vec::new();
    while bytes.len() < limit as usize {
        if read(input, &mut bytes, 1)? == 0 || bytes.last() == Some(&b'\n') {
            return Ok(Outcome::Bytes(bytes));
        }
    }
    Err(too_large(limit))
}

/// The input up to the end of its first object; nothing where it ends or falls silent before.
fn object(input: BorrowedFd<'_>, limit: u32, silence: Duration) -> Result<Outcome> {
    let mut bytes = Vec::new();
    let mut end = ObjectEnd::default();
    loop {
        if !is_ready(&input, silence)? {
            return Ok(Outcome::Bytes(Vec::new()));
        }
        let before = bytes.len();
        if read(input, &mut bytes, MOST_READ)? == 0 {
            return Ok(Outcome::Bytes(Vec::new()));
        }
        let ends = end.find(&bytes[before..]);
        bytes.truncate(ends.map_or(bytes.len(), |ends| before + ends));
        if bytes.len() > limit as usize {
            return Err(too_large(limit));
        }
        if ends.is_some() {
            return Ok(Outcome::Bytes(bytes));
        }
    }
}

/// Adds what one read of at most so many bytes gives; returns how many came, 0 at the end.
fn read(input: BorrowedFd<'_>, bytes: &mut Vec<u8>, most: usize) -> Result<usize> {
    let before = bytes.len();
    bytes.resize(before + most, 0);
    let read = patiently(|| rustix::io::read(input, &mut bytes[before..]));
    bytes.truncate(before + *read.as_ref().unwrap_or(&0));
    read
}

/// Tries until the stream is ready.
fn patiently<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> Result<T> {
    loop {
        match call() {
            Ok(done) => return Ok(done),
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => thread::sleep(STREAM_PAUSE),
            Err(errno) => return Err(failed(errno)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::{PipeReader, PipeWriter, Write, pipe};
    use std::os::fd::{AsFd, BorrowedFd};
    use std::time::Duration;

    use super::{Result, line, object, to_end};
    use crate::effect::{Fault, Outcome};

    /// Enough for a test that waits for nothing to come.
    const SHORT: Duration = Duration::from_millis(20);

    fn bytes(text: &[u8]) -> Outcome {
        Outcome::Bytes(text.to_vec())
    }

    fn holding(text: &[u8]) -> (PipeReader, PipeWriter) {
        let (reader, mut writer) = pipe().unwrap();
        writer.write_all(text).unwrap();
        (reader, writer)
    }

    #[test]
    fn an_object_is_taken_from_an_input_that_stays_open() {
        let (input, _writer) = holding(b" {\"a\": \"}\"} and more");
        assert_eq!(
            object(input.as_fd(), 100, SHORT).unwrap(),
            bytes(b" {\"a\": \"}\"}")
        );
    }

    #[test]
    fn nothing_is_taken_from_an_input_that_falls_silent_or_ends_before_the_object_does() {
        let (input, writer) = holding(b"{\"a\": ");
        assert_eq!(object(input.as_fd(), 100, SHORT).unwrap(), bytes(b""));
        drop(writer);
        assert_eq!(object(input.as_fd(), 100, SHORT).unwrap(), bytes(b""));
    }

    #[test]
    fn an_object_or_a_text_beyond_the_limit_is_too_large() {
        let of = |take: &dyn Fn(BorrowedFd<'_>) -> Result<Outcome>| {
            let (input, writer) = holding(b"{   }");
            drop(writer);
            take(input.as_fd()).unwrap_err().fault
        };
        assert_eq!(of(&|input| object(input, 3, SHORT)), Fault::TooLarge);
        assert_eq!(of(&|input| to_end(input, 3)), Fault::TooLarge);
        assert_eq!(of(&|input| line(input, 3)), Fault::TooLarge);
    }

    #[test]
    fn what_is_behind_a_line_is_left_to_the_next_reader() {
        let (input, writer) = holding(b"yes\nmore");
        drop(writer);
        assert_eq!(line(input.as_fd(), 100).unwrap(), bytes(b"yes\n"));
        assert_eq!(to_end(input.as_fd(), 100).unwrap(), bytes(b"more"));
        assert_eq!(line(input.as_fd(), 100).unwrap(), bytes(b""));
    }

    #[test]
    fn a_file_is_an_input_as_well() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("payload");
        fs::write(&path, "{}").unwrap();
        let input = File::open(path).unwrap();
        assert_eq!(object(input.as_fd(), 100, SHORT).unwrap(), bytes(b"{}"));
    }
}
