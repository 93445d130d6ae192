//! The names of tasks and their checkpoints, and the names of files for them.
//!
//! Task names and checkpoint ids are free text: the caller chooses it, and it may be a path, a
//! device of Windows, or differ from another one in nothing but the case of a letter. So it never
//! names a file directly. A file is named by the [key](TaskId::key), and a task's by its
//! [stem](TaskId::stem), which people can read.

use crate::digest::{digest, is_id};
use crate::error::Error;
use crate::json::Json;
use crate::schema::{Kind, Shaped};
use crate::text::quoted;

/// The most bytes of a name: more than any path or address that serves as one, and few enough for an
/// index of a database, where PostgreSQL takes 2,704.
pub const MAX_ID_BYTES: usize = 1_024;

/// The most bytes of a stem that people read. With the key behind it, and with it in names that have a
/// second key and a token as well, a path stays far from any file system's limit.
const MAX_SLUG: usize = 32;

/// Stands for a name of which nothing can be shown in a file's name.
const NO_SLUG: &str = "task";

/// No part of a name: it stands where a lone surrogate was, so that two names that differ in those alone
/// would be one.
const REPLACED: char = '\u{FFFD}';

/// The name of a task, or of a checkpoint: free text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TaskId(String);

/// In answers it is its text.
impl Shaped for TaskId {
    const KIND: Kind = Kind::String;
}

impl From<TaskId> for Json {
    fn from(id: TaskId) -> Self {
        Json::from(id.0)
    }
}

impl TaskId {
    /// Checks a name.
    ///
    /// # Errors
    ///
    /// [`Error::invalid_name`] for one that is empty, longer than [`MAX_ID_BYTES`], or holds U+0000 or a
    /// lone surrogate.
    pub fn new(text: &str) -> Result<Self, Error> {
        match check(text) {
            Ok(()) => Ok(TaskId(text.to_owned())),
            Err(why) => Err(Error::invalid_name(format!(
                "Invalid id {}: {why}",
                quoted(text)
            ))),
        }
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the key that names files for it: the first 128 bits of its SHA-256, as 32 lower-case
    /// hex digits.
    ///
    /// Everything else here has ids of that size. By chance alone two names never meet, and an
    /// attacker who looks for two that do has to try 2^64; then the index, which has the whole
    /// name, distinguishes them, and the second is refused. All 256 bits would make each path 32
    /// bytes longer, where Windows has 260.
    pub fn key(&self) -> String {
        digest(&[self.0.as_bytes()])
    }

    /// Returns the stem that a task's document is stored under: the readable part of its name, and
    /// its key.
    ///
    /// Small letters, digits and `-`, so that no file system takes two for one, nor one for a device; and
    /// never the name of anything else, for none ends in a key.
    ///
    /// ```
    /// use milepost::checkpoint::task::name::TaskId;
    ///
    /// let id = TaskId::new("Fix: ../login")?;
    /// assert_eq!(id.stem(), "fix-login-3eb980d61bc8a553701a9222fe839165");
    /// # Ok::<(), milepost::error::Error>(())
    /// ```
    pub fn stem(&self) -> String {
        format!("{}-{}", slug(&self.0), self.key())
    }
}

/// Returns whether a text has the form of a task's [stem](TaskId::stem).
pub fn is_stem(text: &str) -> bool {
    let parts = text.rsplit_once('-');
    parts.is_some_and(|(slug, key)| !slug.is_empty() && is_id(key))
}

/// Checks that a text can be a name.
///
/// # Errors
///
/// The rule as a sentence.
pub(super) fn check(text: &str) -> Result<(), String> {
    let why = match text {
        "" => "expected at least one character".to_owned(),
        _ if text.len() > MAX_ID_BYTES => {
            format!(
                "expected at most {MAX_ID_BYTES} bytes, found {}",
                text.len()
            )
        }
        _ if text.contains('\0') => "expected no U+0000 in it".to_owned(),
        _ if text.contains(REPLACED) => {
            "expected no lone surrogate in it, and no U+FFFD, which takes the place of one"
                .to_owned()
        }
        _ => return Ok(()),
    };
    Err(why)
}

/// The letters and digits of a name that are ASCII, small, with one `-` for all that stands between.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    for character in text.chars() {
        if slug.len() >= MAX_SLUG {
            break;
        }
        match character.is_ascii_alphanumeric() {
            true => slug.push(character.to_ascii_lowercase()),
            false if slug.is_empty() || slug.ends_with('-') => {}
            false => slug.push('-'),
        }
    }
    match slug.trim_end_matches('-') {
        "" => NO_SLUG.to_owned(),
        slug => slug.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::sample::HOSTILE;
    use super::*;
    use crate::error::Code;
    use crate::file_name;

    fn id(text: &str) -> TaskId {
        TaskId::new(text).unwrap()
    }

    /// With `keys/KK/KEY.STEM.TOKEN` and an ending, the longest name that is made of it.
    const LONGEST_STEM: usize = 120;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let long = "é/".repeat(341);
        for text in HOSTILE.into_iter().chain([long.as_str()]) {
            let stem = id(text).stem();
            assert_eq!(file_name::check(&stem, LONGEST_STEM), Ok(()), "{text:?}");
            assert_eq!(stem, stem.to_ascii_lowercase());
            let (slug, key) = stem.rsplit_once('-').unwrap();
            assert!(is_stem(&stem) && is_id(key) && !slug.is_empty() && slug.len() <= MAX_SLUG);
        }
    }

    #[test]
    fn two_names_have_two_files() {
        let of_one_slug = ["a b", "a-b", "a/b", "A-B", " a\u{301} b", "a..b", "-a-b-"];
        let twins = ["é", "e\u{301}", "É", "İ", "i\u{307}", "ß", "ss", "ſ", "s"];
        let all: Vec<&str> = HOSTILE
            .into_iter()
            .chain(of_one_slug)
            .chain(twins)
            .collect();
        let distinct: BTreeSet<&str> = all.iter().copied().collect();
        let folded = |text: String| text.to_lowercase();
        let stems: BTreeSet<String> = all.iter().map(|it| folded(id(it).stem())).collect();
        let keys: BTreeSet<String> = all.iter().map(|it| folded(id(it).key())).collect();
        assert_eq!((stems.len(), keys.len()), (distinct.len(), distinct.len()));
    }

    #[test]
    fn a_task_is_known_by_its_file() {
        for (text, slug) in [
            ("task-1", "task-1"),
            ("Fix: the login/logout", "fix-the-login-logout"),
            ("../../etc/passwd", "etc-passwd"),
            ("世界", "task"),
            ("--", "task"),
            ("Größe 7", "gr-e-7"),
            (
                "0123456789012345678901234567890 tail",
                "0123456789012345678901234567890",
            ),
            (
                "a12345678901234567890123456789012345",
                "a1234567890123456789012345678901",
            ),
        ] {
            let id = id(text);
            assert_eq!(id.stem(), format!("{slug}-{}", id.key()), "{text:?}");
        }
    }

    #[test]
    fn a_text_that_cannot_be_stored_is_no_name() {
        let long = "a".repeat(MAX_ID_BYTES + 1);
        assert!(TaskId::new(&long[1..]).is_ok());
        for (text, expected) in [
            ("", "Invalid id \"\": expected at least one character"),
            ("a\0b", "Invalid id \"a\\u{0}b\": expected no U+0000 in it"),
            (
                "a\u{FFFD}",
                "Invalid id \"a\u{FFFD}\": expected no lone surrogate in it, and no U+FFFD, which \
                 takes the place of one",
            ),
        ] {
            let error = TaskId::new(text).unwrap_err();
            assert_eq!(
                (error.code(), error.to_string().as_str()),
                (Code::InvalidName, expected)
            );
        }
        let message = TaskId::new(&long).unwrap_err().to_string();
        assert!(
            message.ends_with("…\": expected at most 1024 bytes, found 1025"),
            "{message}"
        );
    }
}
