//! The names of threads, namespaces and checkpoints, and the names of files for them.
//!
//! All of them are free text of the graph's user, so that none names a file: a file is named by a
//! hash.

use crate::digest::{digest, is_id};
use crate::error::Error;
use crate::json::{self, Json};
use crate::text::quoted;

/// The most bytes of a name: namespaces grow with the depth of subgraphs.
pub const MAX_NAME_BYTES: usize = 4_096;

/// Stands where a lone surrogate was: two names that differ in those alone would be one.
const REPLACED: char = '\u{FFFD}';

/// Returns the stem that the document of a thread is stored under: 32 lower-case hex digits.
pub fn stem(thread: &str) -> String {
    digest(&[thread.as_bytes()])
}

/// Returns whether a text has the form of a [`stem`].
pub fn is_stem(text: &str) -> bool {
    is_id(text)
}

/// The key of the part that begins with this entry of a thread: no other thread has it.
pub fn part_key(thread: &str, first: u64) -> String {
    format!("{}{first:012x}", stem(thread))
}

/// The number of the entry that a part begins with, by its key.
pub(super) fn first_of_key(key: &str) -> Option<u64> {
    u64::from_str_radix(key.get(32..)?, 16).ok()
}

/// Stands before the names of threads that hold the transcripts of a session.
const SESSION: &str = "session ";

/// The name of the thread with the transcripts of a session of a project, as `session ["PROJECT","SESSION"]`.
pub fn of_session(project: &str, session: &str) -> String {
    let names = vec![Json::from(project), Json::from(session)];
    format!("{SESSION}{}", Json::from(names).to_line())
}

/// The project and the session whose transcripts a thread of this name holds; `None` for another thread.
pub fn session_of(thread: &str) -> Option<(String, String)> {
    let names = json::read(thread.strip_prefix(SESSION)?.as_bytes()).ok()?;
    let Json::Array(names) = names.value else {
        return None;
    };
    match <[Json; 2]>::try_from(names) {
        Ok([Json::String(project), Json::String(session)]) => Some((project, session)),
        _ => None,
    }
}

/// Checks the name of a thread, a checkpoint or a task; `what` says which.
///
/// # Errors
///
/// [`Error::invalid_name`] for one that is empty, longer than [`MAX_NAME_BYTES`], or holds U+0000 or a lone
/// surrogate.
pub fn check(what: &str, text: &str) -> Result<(), Error> {
    match text {
        "" => Err(invalid(what, text, "expected at least one character")),
        _ => check_namespace(what, text),
    }
}

/// Checks what may be empty too.
///
/// # Errors
///
/// As [`check`].
pub fn check_namespace(what: &str, text: &str) -> Result<(), Error> {
    let length = text.len();
    match text {
        _ if length > MAX_NAME_BYTES => {
            let why = format!("expected at most {MAX_NAME_BYTES} bytes, found {length}");
            Err(invalid(what, text, &why))
        }
        _ if text.contains('\0') => Err(invalid(what, text, "expected no U+0000 in it")),
        _ if text.contains(REPLACED) => {
            let why =
                "expected no lone surrogate in it, and no U+FFFD, which takes the place of one";
            Err(invalid(what, text, why))
        }
        _ => Ok(()),
    }
}

fn invalid(what: &str, text: &str, why: &str) -> Error {
    Error::invalid_name(format!("Invalid {what} {}: {why}", quoted(text)))
}
