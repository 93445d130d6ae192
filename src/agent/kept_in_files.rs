//! The text that says that runs are kept in files because the database that hooks name cannot be used.

use super::CommandWords;

/// The sentence, with the variable that holds the connection string, the project in the database, and the reason why
/// that cannot be used; without a reason the variable is not set. Its command is of the program that these words start.
pub fn kept_in_files(
    words: &CommandWords<'_>,
    variable: Option<&str>,
    project: &str,
    reason: Option<&str>,
) -> String {
    // Settings that a clone brings do not let it use a database: the command names that.
    let words = CommandWords {
        database: Some((variable, project)),
        ..*words
    };
    let command = words.line("doctor --fix", None, "");
    let variable = variable.unwrap_or("PGHOST");
    let (what, then) = match reason {
        None => (
            format!("The environment variable {variable} is not set here"),
            "with the variable set",
        ),
        Some(reason) => (
            format!("Runs cannot be kept in the database of {variable}: {reason}"),
            "once it can be used",
        ),
    };
    format!(
        "{what}. Runs of this session are kept in files and not in the database, where other machines see those of \
         project {project}. `{command}`, {then}, brings them into the database."
    )
}

#[cfg(test)]
mod tests {
    use super::kept_in_files;
    use crate::agent::CommandWords;

    #[test]
    fn the_sentence_says_what_is_wrong_where_runs_are_and_what_brings_them_on() {
        for (variable, project, reason, parts) in [
            (
                Some("DATABASE_URL"),
                "shop",
                None,
                [
                    "DATABASE_URL is not set",
                    "project shop",
                    "`npx milepost doctor --fix --store env:DATABASE_URL --project shop`, with the variable set",
                ],
            ),
            (
                None,
                "my shop",
                Some("connect ECONNREFUSED"),
                [
                    "PGHOST: connect ECONNREFUSED",
                    "project my shop",
                    "`npx milepost doctor --fix --store env: --project 'my shop'`, once it can be used",
                ],
            ),
        ] {
            let sentence = kept_in_files(&CommandWords::LOCAL, variable, project, reason);
            for part in parts.into_iter().chain(["kept in files"]) {
                assert!(sentence.contains(part), "{part}: {sentence}");
            }
        }
    }
}
