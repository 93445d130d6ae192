//! Standard input, output and error, and the output of programs. Nothing tells whether a pipe has something to read, so
//! that a thread reads where a wait may end.

use std::io::{self, ErrorKind, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use super::super::facts::NextPiece;
use super::super::fault::{Result, too_large};
use super::fault::failed;
use crate::effect::{Outcome, Stream, Until};
use crate::surface::object::ObjectEnd;

/// The most bytes that one read asks for.
const PIECE: usize = 64 * 1024;
/// So long nothing may come of an object.
const SILENCE: Duration = Duration::from_secs(3);

/// Writes all of these bytes to a stream.
pub(in super::super) fn print(stream: Stream, bytes: &[u8]) -> Result<Outcome> {
    let written = match stream {
        Stream::Output => written(io::stdout(), bytes),
        Stream::Error => written(io::stderr(), bytes),
    };
    written.map(|()| Outcome::Done).map_err(failed)
}

fn written(mut to: impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes)?;
    to.flush()
}

/// The output of a program, piece by piece.
pub(in super::super) struct ThreadPieces(Receiver<io::Result<Vec<u8>>>);

impl ThreadPieces {
    pub(in super::super) fn of(mut output: impl Read + Send + 'static) -> Self {
        let (sender, receiver) = sync_channel(1);
        thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE];
                let read = output.read(&mut piece).map(|length| {
                    piece.truncate(length);
                    piece
                });
                let is_last = !matches!(&read, Ok(piece) if !piece.is_empty());
                // Nothing waits for it any more.
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        ThreadPieces(receiver)
    }

    /// Adds the next piece to `bytes`, if it comes within `time`.
    pub(in super::super) fn next(
        &mut self,
        bytes: &mut Vec<u8>,
        time: Duration,
    ) -> Result<NextPiece> {
        match self.0.recv_timeout(time) {
            Ok(Ok(piece)) if piece.is_empty() => Ok(NextPiece::Ended),
            Ok(Ok(piece)) => {
                bytes.extend_from_slice(&piece);
                Ok(NextPiece::Came)
            }
            // Windows reports the end of a pipe in this way.
            Ok(Err(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(NextPiece::Ended),
            Ok(Err(error)) => Err(failed(error)),
            Err(RecvTimeoutError::Timeout) => Ok(NextPiece::Silent),
            Err(RecvTimeoutError::Disconnected) => Ok(NextPiece::Ended),
        }
    }
}

pub(in super::super) fn standard_input(limit: u32, until: Until) -> Result<Outcome> {
    match until {
        Until::End => to_end(limit),
        Until::Line => line(limit),
        Until::Object => object(limit),
    }
}

fn to_end(limit: u32) -> Result<Outcome> {
    let mut bytes = Vec::new();
    let most = u64::from(limit) + 1;
    let read = io::stdin().take(most).read_to_end(&mut bytes);
    read.map_err(failed)?;
    match bytes.len() > limit as usize {
        true => Err(too_large(limit)),
        false => Ok(Outcome::Bytes(bytes)),
    }
}

fn line(limit: u32) -> Result<Outcome> {
    let mut bytes = Vec::new();
    let mut input = io::stdin().lock();
    while bytes.len() < limit as usize {
        let mut byte = [0];
        if input.read(&mut byte).map_err(failed)? == 0 {
            return Ok(Outcome::Bytes(bytes));
        }
        bytes.push(byte[0]);
        if byte[0] == b'\n' {
            return Ok(Outcome::Bytes(bytes));
        }
    }
    Err(too_large(limit))
}

/// The input up to the end of its first object; nothing where it ends or falls silent before.
fn object(limit: u32) -> Result<Outcome> {
    let mut input = ThreadPieces::of(io::stdin());
    let mut bytes = Vec::new();
    let mut end = ObjectEnd::default();
    loop {
        let before = bytes.len();
        match input.next(&mut bytes, SILENCE)? {
            NextPiece::Came => {}
            NextPiece::Ended | NextPiece::Silent => return Ok(Outcome::Bytes(Vec::new())),
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
