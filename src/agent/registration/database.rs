//! The database that hooks keep runs in, as a registered command names it.

use crate::json::{self, Json, Object};

/// The two options that name a database, each with one word behind it.
const STORE: &str = "--store";
const PROJECT: &str = "--project";

/// Characters that mean something between double quotes in one of the shells that agents take.
const SPECIAL: [char; 8] = ['"', '$', '`', '%', '!', '\\', '\n', '\r'];

/// A database, by the variable that says where it is, and the project in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseRef {
    /// The variable that holds the connection string; without it, the host reads those that its driver
    /// knows.
    pub variable: Option<String>,
    /// The name that the runs of the project are stored under, on every machine.
    pub project: String,
}

impl DatabaseRef {
    /// The part of a word that stands before the name of a variable. Any process can see the words of another one, and
    /// a shell keeps them: a password has no place there.
    pub const ENV: &str = "env:";

    /// Returns whether a line of every shell can name the project.
    pub fn fits_a_line(&self) -> bool {
        !self.project.contains(SPECIAL)
    }

    /// The database in words.
    pub fn shown(&self) -> String {
        match &self.variable {
            Some(variable) => format!("the database of {variable}, as project {}", self.project),
            None => format!(
                "the database of PGHOST and the others, as project {}",
                self.project
            ),
        }
    }

    /// The words that name it.
    pub fn words(&self) -> [String; 4] {
        let variable = self.variable.as_deref().unwrap_or_default();
        let named = [DatabaseRef::ENV, variable].concat();
        [
            STORE.to_owned(),
            named,
            PROJECT.to_owned(),
            self.project.clone(),
        ]
    }

    /// The words at the end of a line, with a space before them.
    pub(super) fn line(&self) -> String {
        let [store, named, option, project] = self.words();
        let is_plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.');
        match !project.is_empty() && project.bytes().all(is_plain) {
            true => format!(" {store} {named} {option} {project}"),
            false => format!(" {store} {named} {option} \"{project}\""),
        }
    }

    /// The database that a command names: a line, or the words of a plugin as JSON.
    pub(super) fn of_command(command: &str) -> Option<Self> {
        if let Some(words) = listed(command) {
            let at = words.iter().position(|word| word == STORE)?;
            let [_, named, option, project] = words.get(at..at + 4)? else {
                return None;
            };
            return (option == PROJECT).then(|| DatabaseRef::named(named, project))?;
        }
        let (_, rest) = command.split_once(&format!(" {STORE} "))?;
        let (named, rest) = rest.split_once(' ')?;
        let project = rest.strip_prefix(PROJECT)?.strip_prefix(' ')?;
        let project = match project.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?.0,
            None => project.split(' ').next()?,
        };
        DatabaseRef::named(named, project)
    }

    fn named(named: &str, project: &str) -> Option<Self> {
        let variable = named.strip_prefix(DatabaseRef::ENV)?;
        Some(DatabaseRef {
            variable: (!variable.is_empty()).then(|| variable.to_owned()),
            project: project.to_owned(),
        })
    }
}

impl From<DatabaseRef> for Json {
    fn from(database: DatabaseRef) -> Self {
        let object = Object::new()
            .with("variable", database.variable)
            .with("project", database.project);
        Json::from(object)
    }
}

/// The words of a command that is a list of them.
fn listed(command: &str) -> Option<Vec<String>> {
    if !command.starts_with('[') {
        return None;
    }
    let reading = json::read(command.as_bytes()).ok()?;
    let words = reading.value.as_array()?.iter();
    words.map(|word| word.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::DatabaseRef;
    use crate::json::Json;

    fn databases() -> Vec<DatabaseRef> {
        let of = |variable: Option<&str>, project: &str| DatabaseRef {
            variable: variable.map(str::to_owned),
            project: project.to_owned(),
        };
        vec![
            of(Some("DATABASE_URL"), "shop"),
            of(None, "shop.v2_a-b"),
            of(Some("_1"), "my shop"),
            of(Some("URL"), "ünï --store env:OTHER --project x"),
        ]
    }

    #[test]
    fn a_command_names_the_database_that_it_was_made_with() {
        for database in databases() {
            let line = format!("node -e \"x\" hook codex user{} ; exit 0", database.line());
            assert_eq!(DatabaseRef::of_command(&line), Some(database.clone()));
            let words = ["node".to_owned()].into_iter().chain(database.words());
            let words: Vec<Json> = words.map(Json::from).collect();
            let command = Json::from(words).to_line();
            assert_eq!(DatabaseRef::of_command(&command), Some(database));
        }
        for command in [
            "node hook codex",
            "node hook --store env:URL",
            "node hook --store url --project shop",
            "[\"node\", \"--store\", \"env:URL\"]",
        ] {
            assert_eq!(DatabaseRef::of_command(command), None, "{command}");
        }
    }

    #[test]
    fn only_a_project_that_no_shell_changes_fits_a_line() {
        for database in databases() {
            assert!(database.fits_a_line(), "{database:?}");
        }
        for project in ["a\"b", "$HOME", "a`b", "100%", "a!", "a\\", "a\nb"] {
            let database = DatabaseRef {
                variable: None,
                project: project.to_owned(),
            };
            assert!(!database.fits_a_line(), "{project}");
        }
    }
}
