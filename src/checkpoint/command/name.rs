//! From what a command checkpoint is called to the stem that it is stored under, and back.

use super::definition::{FEATURE, NO_FEATURE};
use super::document::Command;
use crate::error::{Error, Target};
use crate::text::quoted;

/// The stem that the checkpoint of a command and a feature is stored under. `command` is one of the
/// seven.
///
/// # Errors
///
/// [`Error::invalid_name`] for a feature that is no safe part of a path, and for `checkpoint`.
pub fn stem(command: &str, feature: Option<&str>) -> Result<String, Error> {
    if let Some(feature) = feature {
        FEATURE.check(feature).map_err(|why| {
            let shown: String = feature.chars().take(FEATURE.longest).collect();
            Error::invalid_name(format!("Invalid feature name {}: {why}", quoted(&shown)))
        })?;
    }
    Ok(format!("{command}-{}", feature.unwrap_or(NO_FEATURE)))
}

/// The command that a caller names, and the stem of its checkpoint.
///
/// # Errors
///
/// [`Error::invalid_name`] for a command that has no checkpoints, and as for [`stem`].
pub fn of_target(target: &Target) -> Result<(Command, String), Error> {
    let command = Command::parse(&target.command).ok_or_else(|| {
        let known = Command::ALL.map(Command::as_str).join(", ");
        Error::invalid_name(format!(
            "Invalid command {}: expected one of {known}",
            quoted(&target.command)
        ))
    })?;
    let stem = stem(command.as_str(), target.feature.as_deref())?;
    Ok((command, stem))
}

/// The checkpoint that a stem stands for; `None` for a stem of anything else.
pub fn target(stem: &str) -> Option<Target> {
    let (command, feature) = of_stem(stem)?;
    Command::parse(command)?;
    Some(Target {
        command: command.to_owned(),
        feature: feature.map(str::to_owned),
    })
}

/// The command and the feature that a stem stands for; `None` for a stem of anything else.
pub fn of_stem(stem: &str) -> Option<(&str, Option<&str>)> {
    let (command, feature) = stem.split_once('-')?;
    if feature == NO_FEATURE {
        return Some((command, None));
    }
    FEATURE.check(feature).ok()?;
    Some((command, Some(feature)))
}

#[cfg(test)]
mod tests {
    use super::{of_stem, stem};
    use crate::error::Code;

    #[test]
    fn a_feature_selects_the_file_that_the_seeds_name() {
        assert_eq!(stem("design", None).unwrap(), "design-checkpoint");
        let named = stem("design", Some("Dark-Mode.v2")).unwrap();
        assert_eq!(named, "design-Dark-Mode.v2");
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
            let error = stem("design", Some(feature)).unwrap_err();
            assert_eq!(error.code(), Code::InvalidName, "{feature:?}");
        }
    }

    #[test]
    fn a_stem_names_its_checkpoint() {
        assert_eq!(of_stem("ship-checkpoint"), Some(("ship", None)));
        assert_eq!(of_stem("ship-a-b"), Some(("ship", Some("a-b"))));
        assert_eq!(of_stem("ship-"), None);
        assert_eq!(of_stem("ship"), None);
        assert_eq!(of_stem("ship-a*"), None);
    }
}
