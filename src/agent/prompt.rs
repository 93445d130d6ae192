//! What a prompt and a branch say of the work that begins.

/// A feature's name has so many characters at most.
const LONGEST: usize = 100;

/// Branches that are no feature.
const TRUNKS: [&str; 5] = ["main", "master", "trunk", "develop", "default"];

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

/// The name of a branch, made safe as that of a feature; none for a trunk, and where nothing is left.
pub fn feature_of_branch(branch: &str) -> Option<String> {
    if TRUNKS.contains(&branch) {
        return None;
    }
    let is_safe = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '_' | '-');
    let words = branch.split(|it: char| !is_safe(it));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let joined = words.join("-");
    let named = joined.trim_start_matches(|it: char| !it.is_ascii_alphanumeric());
    let end = named.len().min(LONGEST);
    let name = named[..end].trim_end_matches(['.', '-', '_']);
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{feature_of_branch, slash_command};

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
            ("ä/ö", None),
            ("../x", Some("x")),
            ("fix#12: a b.", Some("fix-12-a-b")),
            ("-x-", Some("x")),
        ] {
            assert_eq!(feature_of_branch(branch).as_deref(), expected, "{branch}");
        }
        assert_eq!(feature_of_branch(&"a".repeat(300)).unwrap().len(), 100);
    }
}
