//! From what a checkpoint is called to where it lies.

use crate::error::Error;
use crate::text::quoted;

/// Feature names are at most this long, in bytes: with the command and `.json` they fit any file
/// system's 255.
const MAX_FEATURE_BYTES: usize = 100;

/// Names that Windows keeps for devices, with any extension.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The stem of the file of a checkpoint that belongs to no feature.
const NO_FEATURE: &str = "checkpoint";

/// A name that is safe as part of a path on every file system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    stem: String,
}

impl Name {
    /// The name of the checkpoint of a command and a feature. `command` is one of the seven.
    ///
    /// # Errors
    ///
    /// [`Error::invalid_name`] for a feature that is no safe part of a path.
    pub fn checkpoint(command: &str, feature: Option<&str>) -> Result<Self, Error> {
        if let Some(feature) = feature {
            check_feature(feature)?;
        }
        Ok(Name {
            stem: format!("{command}-{}", feature.unwrap_or(NO_FEATURE)),
        })
    }

    /// The name that belongs to a file of the state folder; `None` for a file of anything else.
    pub fn of_file(file: &str) -> Option<(&str, Option<&str>)> {
        let (command, feature) = file.strip_suffix(".json")?.split_once('-')?;
        if feature == NO_FEATURE {
            return Some((command, None));
        }
        check_feature(feature).ok()?;
        Some((command, Some(feature)))
    }

    /// The document's file name.
    pub fn file(&self) -> String {
        format!("{}.json", self.stem)
    }

    /// What the document's file is called, without its ending.
    pub(super) fn stem(&self) -> &str {
        &self.stem
    }

    /// The side folder's name: lower case, so that names which one file system holds for equal
    /// share their tokens on every one.
    pub fn side(&self) -> String {
        self.stem.to_ascii_lowercase()
    }
}

/// `^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`, no final dot, no device name, not `checkpoint`.
fn check_feature(feature: &str) -> Result<(), Error> {
    let invalid = |why: &str| {
        let shown: String = feature.chars().take(MAX_FEATURE_BYTES).collect();
        Err(Error::invalid_name(format!(
            "Invalid feature name {}: {why}",
            quoted(&shown)
        )))
    };
    if feature.is_empty() {
        return invalid("expected at least one character");
    }
    if feature.len() > MAX_FEATURE_BYTES {
        return invalid("expected at most 100 characters");
    }
    if !feature.as_bytes()[0].is_ascii_alphanumeric() {
        return invalid("expected a letter or digit first");
    }
    if !feature
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
    {
        return invalid("expected only letters, digits, '.', '_' and '-'");
    }
    if feature.ends_with('.') {
        return invalid("expected no '.' at the end");
    }
    let lower = feature.to_ascii_lowercase();
    if DEVICES.contains(&lower.split('.').next().unwrap_or_default()) {
        return invalid("Windows keeps this name for a device");
    }
    if lower == NO_FEATURE {
        return invalid("its file would be that of the checkpoint without a feature");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Name;
    use crate::error::Code;

    #[test]
    fn a_feature_selects_the_file_that_the_seeds_name() {
        let plain = Name::checkpoint("design", None).unwrap();
        assert_eq!(plain.file(), "design-checkpoint.json");
        let named = Name::checkpoint("design", Some("Dark-Mode.v2")).unwrap();
        assert_eq!(named.file(), "design-Dark-Mode.v2.json");
        assert_eq!(named.side(), "design-dark-mode.v2");
    }

    #[test]
    fn a_name_that_leaves_the_folder_or_means_a_device_is_refused() {
        let long = "a".repeat(101);
        for feature in [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "C:",
            "c:x",
            "x:y",
            "a\0b",
            "a\nb",
            "-a",
            ".a",
            "_a",
            "a.",
            "CON",
            "con",
            "nul.txt",
            "COM1",
            "lpt9.x.y",
            "checkpoint",
            "Checkpoint",
            "ä",
            "a b",
            "a*",
            &long,
        ] {
            let error = Name::checkpoint("design", Some(feature)).unwrap_err();
            assert_eq!(error.code(), Code::InvalidName, "{feature:?}");
        }
    }

    #[test]
    fn a_file_of_the_state_folder_names_its_checkpoint() {
        assert_eq!(Name::of_file("ship-checkpoint.json"), Some(("ship", None)));
        assert_eq!(Name::of_file("ship-a-b.json"), Some(("ship", Some("a-b"))));
        assert_eq!(Name::of_file("ship-.json"), None);
        assert_eq!(Name::of_file("ship.json"), None);
        assert_eq!(Name::of_file("ship-x.yaml"), None);
    }
}
