//! Converts a run's name to the stem that it is stored under, and back.

use super::definition::{COMMANDS, FEATURE, NO_FEATURE};
use crate::error::{Error, Target};
use crate::text::quoted;

/// The stem that the checkpoint of a command and a feature is stored under. [`check_command`] says
/// whether the command exists.
///
/// # Errors
///
/// [`Error::invalid_name`] for a feature that is no safe part of a path, and for `checkpoint`.
pub fn stem(command: &str, feature: Option<&str>) -> Result<String, Error> {
    if let Some(feature) = feature {
        FEATURE.check(feature).map_err(|why| {
            let shown: String = feature.chars().take(FEATURE.longest).collect();
            Error::invalid_name(sentence!("Invalid feature name {}: {why}", quoted(&shown)))
        })?;
    }
    Ok(format!("{command}-{}", feature.unwrap_or(NO_FEATURE)))
}

/// Refuses a command that is neither one of the seven nor one of those that the project adds.
///
/// # Errors
///
/// [`Error::invalid_name`], which says what a command is and how one is added.
pub fn check_command(command: &str, added: &[String]) -> Result<(), Error> {
    if is_command(command, added) {
        return Ok(());
    }
    let known: Vec<&str> = COMMANDS
        .into_iter()
        .chain(added.iter().map(String::as_str))
        .collect();
    let shown: String = command.chars().take(FEATURE.longest).collect();
    Err(Error::invalid_name(sentence!(
        "Invalid command {}: expected one of {}, or one that `commands` in \
         .claude/config/integrations.json adds",
        quoted(&shown),
        known.join(", ")
    )))
}

/// Returns whether a command is one of the seven.
pub fn is_built_in(command: &str) -> bool {
    COMMANDS.contains(&command)
}

fn is_command(command: &str, added: &[String]) -> bool {
    is_built_in(command) || added.iter().any(|it| it == command)
}

/// The checkpoint that a stem stands for; `None` for a stem of anything else.
pub fn target(stem: &str, added: &[String]) -> Option<Target> {
    let (command, feature) = of_stem(stem)?;
    is_command(command, added).then(|| Target {
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
    use super::{check_command, of_stem, stem, target};
    use crate::error::Code;

    #[test]
    fn an_error_says_which_commands_there_are_and_how_one_is_added() {
        let added = ["build".to_owned()];
        assert_eq!(check_command("build", &added), Ok(()));
        let error = check_command("fly", &added).unwrap_err();
        assert_eq!(error.code(), Code::InvalidName);
        assert_eq!(
            error.to_string(),
            "Invalid command \"fly\": expected one of start, design, reconcile, research, implement, \
             ship, review, build, or one that `commands` in .claude/config/integrations.json adds"
        );
        assert!(target("build-x", &added).is_some());
        assert_eq!(target("build-x", &[]), None);
    }

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
