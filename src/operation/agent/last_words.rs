//! The last words of a turn, from the transcript of an agent whose event does not have them.
//!
//! Copilot CLI writes its transcript some time after what happened, so that the message may come to the file after the
//! event.

use crate::agent::{LastTurn, Payload, last_turn};
use crate::effect::{Io, Links, PathKind};
use crate::error::{Error, whole};

/// The bytes that are read of the end of a transcript: mostly the first of these has the message. The second one is the
/// limit.
const WINDOWS: [u32; 2] = [64 << 10, 2 << 20];

/// The time that the last message is waited for, in pauses of so many milliseconds: Copilot CLI 1.0.102 has written it
/// after about 100.
const PAUSE_MS: u32 = 25;
const MAX_PAUSES: u32 = 40;

/// Returns the last message of the turn that ends with this event; `None` where the transcript has none, is larger
/// than what is read of it since that message, or cannot be read. Where the turn has more to come, it is waited for.
///
/// # Errors
///
/// Fails with `usage` if only the `library` build can do it.
pub(super) async fn last_words(io: &Io, payload: &Payload<'_>) -> Result<Option<String>, Error> {
    let Some(path) = payload.transcript else {
        return Ok(None);
    };
    whole::needed()?;
    for _ in 0..MAX_PAUSES {
        match in_transcript(io, path).await {
            Some(LastTurn::Message(message)) => return Ok(Some(message)),
            Some(_) => {}
            None => return Ok(None),
        }
        if io.wait(PAUSE_MS).await.is_err() {
            break;
        }
    }
    Ok(match in_transcript(io, path).await {
        Some(LastTurn::Message(message) | LastTurn::Earlier(message)) => Some(message),
        _ => None,
    })
}

/// The last turn of a transcript; `None` where it cannot be read.
async fn in_transcript(io: &Io, path: &str) -> Option<LastTurn> {
    let entries = io.inspect(vec![path.to_owned()]).await.ok()?;
    let entry = entries
        .first()
        .filter(|entry| entry.kind == PathKind::File)?;
    for window in WINDOWS {
        let offset = entry.size.saturating_sub(u64::from(window));
        let part = io.part(path.to_owned(), offset, window, Links::Refuse);
        let bytes = part.await.ok()?;
        // The first line may have begun before.
        let cut = match offset {
            0 => Some(0),
            _ => bytes.iter().position(|byte| *byte == b'\n'),
        };
        let turn = last_turn(&bytes[cut.unwrap_or(bytes.len())..]);
        if turn != LastTurn::Nothing || offset == 0 {
            return Some(turn);
        }
    }
    None
}
