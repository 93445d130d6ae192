//! The issue that a branch is named after.

/// The issue of a branch, in capital letters: `ENG-123` of `feature/eng-123-dark-mode`, where the prefix is
/// `feature`. `None` for a branch without the prefix, and where no issue follows it.
pub fn of_branch(branch: &str, prefix: &str) -> Option<String> {
    let rest = match prefix.trim_end_matches('/') {
        "" => branch,
        prefix => branch.strip_prefix(prefix)?.strip_prefix('/')?,
    };
    let (team, rest) = rest.split_once('-')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = rest.split_at(digits);
    let is_team = team.starts_with(|it: char| it.is_ascii_alphabetic())
        && team.bytes().all(|it| it.is_ascii_alphanumeric())
        && team.len() <= MAX_TEAM;
    let is_number = (1..=MAX_DIGITS).contains(&number.len());
    let is_whole = !rest.starts_with(|it: char| it.is_alphanumeric() || it == '_');
    (is_team && is_number && is_whole).then(|| format!("{}-{number}", team.to_ascii_uppercase()))
}

/// Linear's keys of teams have up to seven letters and digits; some room for what it may allow.
const MAX_TEAM: usize = 16;
const MAX_DIGITS: usize = 9;

#[cfg(test)]
mod tests {
    use super::of_branch;

    #[test]
    fn the_issue_of_a_branch_stands_behind_the_prefix() {
        for (branch, prefix, expected) in [
            ("feature/ENG-123-some-words", "feature", Some("ENG-123")),
            ("feature/eng-123-some-words", "feature", Some("ENG-123")),
            ("feature/BAS-6", "feature", Some("BAS-6")),
            ("feature/BAS-6", "feature/", Some("BAS-6")),
            ("feature/BAS-6/part", "feature", Some("BAS-6")),
            ("team/feature/T2-7.x", "team/feature", Some("T2-7")),
            ("ENG-1-x", "", Some("ENG-1")),
            ("ENG-1-x", "feature", None),
            ("features/ENG-1", "feature", None),
            ("fix/ENG-1", "feature", None),
            ("feature/ENG-", "feature", None),
            ("feature/ENG-x1", "feature", None),
            ("feature/ENG-1x", "feature", None),
            ("feature/ENG-1_", "feature", None),
            ("feature/1NG-1", "feature", None),
            ("feature/-1", "feature", None),
            ("feature/É-1", "feature", None),
            ("feature/dark-mode", "feature", None),
            ("feature/ENG-1234567890", "feature", None),
            ("feature", "feature", None),
            ("", "", None),
        ] {
            let found = of_branch(branch, prefix);
            assert_eq!(found.as_deref(), expected, "{branch} after {prefix:?}");
        }
    }
}
