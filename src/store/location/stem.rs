//! The name that a document is stored under.

use crate::error::Error;
use crate::file_name;
use crate::text::quoted;

/// A stem, its ending, and the temporary names made of it fit any file system's 255 bytes.
const MAX_BYTES: usize = 200;

/// The name of a document's file without its ending: safe as a part of a path on every file system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stem(String);

impl Stem {
    /// The ending of a document's file name.
    pub const ENDING: &str = ".json";

    /// Checks a stem.
    ///
    /// # Errors
    ///
    /// [`Error::invalid_name`] for one that is no safe part of a path on every file system.
    pub fn new(stem: String) -> Result<Self, Error> {
        match file_name::check(&stem, MAX_BYTES) {
            Ok(()) => Ok(Stem(stem)),
            Err(why) => {
                let sentence = sentence!("Invalid name {}: {why}", quoted(&stem));
                Err(Error::invalid_name(sentence))
            }
        }
    }

    /// The stem of a document's file; `None` for a file of anything else.
    pub fn of_file(file: &str) -> Option<Self> {
        Stem::new(file.strip_suffix(Self::ENDING)?.to_owned()).ok()
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The document's file name.
    pub fn file(&self) -> String {
        [&self.0, Self::ENDING].concat()
    }

    /// The side folder's name: lower case, so that names which one file system holds for equal
    /// share their tokens on every one.
    pub fn side(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::Stem;

    #[test]
    fn only_a_safe_part_of_a_path_is_a_stem() {
        let long = "a".repeat(201);
        for stem in [
            "",
            ".milepost",
            "a/b",
            "..",
            "a\\b",
            "x:y",
            "con",
            "a.",
            &long,
        ] {
            assert!(Stem::new(stem.to_owned()).is_err(), "{stem:?}");
        }
        let stem = Stem::of_file("design-Dark.json").unwrap();
        assert_eq!(
            (stem.as_str(), &*stem.side()),
            ("design-Dark", "design-dark")
        );
        assert_eq!(stem.file(), "design-Dark.json");
        assert_eq!(Stem::of_file("design-x.yaml"), None);
    }
}
