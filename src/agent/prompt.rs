//! The command that a prompt begins, and the feature of a branch.

use crate::digest::digest;
use crate::file_name;
use crate::git::TRUNKS;

/// A feature's name has so many characters at most.
const LONGEST: usize = 100;

/// The file of this feature would be that of none.
const RESERVED: &str = "checkpoint";

/// Digits of a digest in a name.
const DIGITS: usize = 12;

/// The word of a slash command and what follows it: `/implement dark-mode` is `implement` and `dark-mode`.
/// A name space before the word (`/project:implement`) does not count.
pub fn slash_command(prompt: &str) -> Option<(&str, &str)> {
    let rest = prompt.trim().strip_prefix('/')?;
    let (word, arguments) = match rest.split_once(char::is_whitespace) {
        Some((word, arguments)) => (word, arguments.trim()),
        None => (rest, ""),
    };
    let word = word.rsplit_once(':').map_or(word, |(_, word)| word);
    (!word.is_empty()).then_some((word, arguments))
}

/// The feature that work on a branch is for: the name of the branch, as a feature may be named. `None` for a trunk.
///
/// A name that loses more than separators ends in a digest, so that two branches have two features.
pub fn feature_of_branch(branch: &str) -> Option<String> {
    if branch.is_empty() || TRUNKS.contains(&branch) {
        return None;
    }
    let is_safe = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '_' | '-');
    let words = branch.split(|it: char| !is_safe(it));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let joined = words.join("-");
    let name = joined.trim_start_matches(|it: char| !it.is_ascii_alphanumeric());
    let name = name.trim_end_matches(['.', '-', '_']);
    let is_whole = branch.is_ascii() && name.len() <= LONGEST;
    let is_free = file_name::check(name, LONGEST).is_ok() && name != RESERVED;
    match is_whole && is_free {
        true => Some(name.to_owned()),
        false => Some(with_digest(name, branch)),
    }
}

/// A feature whose name begins with a text and ends in the digest of another one.
pub fn with_digest(name: &str, of: &str) -> String {
    let digest = &digest(&[of.as_bytes()])[..DIGITS];
    // The part before a dot may be the name of a device.
    let name: String = name
        .chars()
        .take(LONGEST - 1 - DIGITS)
        .map(|it| if it == '.' { '-' } else { it })
        .collect();
    match name.trim_end_matches(['-', '_']) {
        "" => format!("branch-{digest}"),
        name => format!("{name}-{digest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{feature_of_branch, slash_command};
    use crate::file_name;

    #[test]
    fn a_slash_command_is_its_first_word() {
        for (prompt, expected) in [
            ("/implement dark-mode", Some(("implement", "dark-mode"))),
            ("  /implement\n", Some(("implement", ""))),
            ("/project:design a  b\n", Some(("design", "a  b"))),
            ("implement", None),
            ("/", None),
            ("/ implement", None),
            ("see /implement", None),
        ] {
            assert_eq!(slash_command(prompt), expected, "{prompt:?}");
        }
    }

    #[test]
    fn a_branch_is_a_feature_whose_name_is_safe() {
        for (branch, expected) in [
            ("main", None),
            ("feature/dark-mode", Some("feature-dark-mode")),
            ("../x", Some("x")),
            ("fix#12: a b.", Some("fix-12-a-b")),
            ("-x-", Some("x")),
        ] {
            assert_eq!(feature_of_branch(branch).as_deref(), expected, "{branch}");
        }
    }

    #[test]
    fn branches_whose_names_are_no_features_have_features_of_their_own() {
        let long = "a".repeat(4_096);
        let longer = "a".repeat(4_097);
        let branches = [
            "功能/登录",
            "功能/注册",
            "ä/ö",
            "fix/ä",
            "fix/ö",
            &long,
            &longer,
            "con",
            "con.x",
            "checkpoint",
        ];
        let features: Vec<String> = branches
            .iter()
            .map(|branch| feature_of_branch(branch).unwrap())
            .collect();
        for (at, feature) in features.iter().enumerate() {
            assert!(file_name::check(feature, 100).is_ok(), "{feature}");
            assert!(!features[..at].contains(feature), "{feature}");
        }
        assert!(features[3].starts_with("fix-"), "{}", features[3]);
    }
}
