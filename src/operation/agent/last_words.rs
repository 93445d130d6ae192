//! The last words of a turn, from the transcript of an agent whose event does not have them: the message is there
//! before the event.

use crate::agent::{LastTurn, Payload, last_turn};
use crate::effect::{Io, Kind, Links};
use crate::error::{Error, whole};

/// How much of the end of a transcript is read: mostly the first of these has the message. The second one is the
/// limit.
const WINDOWS: [u32; 2] = [64 << 10, 2 << 20];

/// Returns the last message of the turn that ends with this event; `None` where the transcript has none, is larger
/// than what is read of it since that message, or cannot be read.
///
/// # Errors
///
/// Where the wasm of hooks has to leave it to the whole library.
pub(super) async fn last_words(io: &Io, payload: &Payload<'_>) -> Result<Option<String>, Error> {
    let Some(path) = payload.transcript else {
        return Ok(None);
    };
    whole::needed()?;
    Ok(in_transcript(io, path).await)
}

async fn in_transcript(io: &Io, path: &str) -> Option<String> {
    let entries = io.inspect(vec![path.to_owned()]).await.ok()?;
    let entry = entries.first().filter(|entry| entry.kind == Kind::File)?;
    for window in WINDOWS {
        let offset = entry.size.saturating_sub(u64::from(window));
        let part = io.part(path.to_owned(), offset, window, Links::Refuse);
        let bytes = part.await.ok()?;
        // The first line may have begun before.
        let cut = match offset {
            0 => Some(0),
            _ => bytes.iter().position(|byte| *byte == b'\n'),
        };
        match last_turn(&bytes[cut.unwrap_or(bytes.len())..]) {
            LastTurn::Message(message) => return Some(message),
            LastTurn::Beginning => return None,
            LastTurn::Nothing if offset == 0 => return None,
            LastTurn::Nothing => {}
        }
    }
    None
}
