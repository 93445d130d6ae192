//! The words in which an agent learns that its runs are kept in files and not in the database that its hooks name.

/// The sentence, with the variable that holds the connection string, the project in the database, and the reason why
/// that cannot be used; without a reason the variable is not set.
pub fn kept_in_files(variable: Option<&str>, project: &str, reason: Option<&str>) -> String {
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
         project {project}. `milepost doctor --fix`, {then}, brings them into the database."
    )
}

#[cfg(test)]
mod tests {
    use super::kept_in_files;

    #[test]
    fn the_sentence_says_what_is_wrong_where_runs_are_and_what_brings_them_on() {
        for (reason, why) in [
            (None, "is not set"),
            (Some("connect ECONNREFUSED"), "connect ECONNREFUSED"),
        ] {
            let sentence = kept_in_files(Some("DATABASE_URL"), "shop", reason);
            for part in [
                why,
                "DATABASE_URL",
                "project shop",
                "kept in files",
                "`milepost doctor --fix`",
            ] {
                assert!(sentence.contains(part), "{part}: {sentence}");
            }
        }
    }
}
