//! The commands that an agent is asked to type, as they work where it types them.

use crate::text::shell_word;

/// The words that a command begins and ends with where a hook runs.
#[derive(Clone, Copy, Debug)]
pub struct CommandWords<'a> {
    /// The words of a shell that start the program.
    pub program: &'a str,
    /// The database that runs are kept in, by the variable that holds its connection string, if one does, and the
    /// project in it; `None` for files.
    pub database: Option<(Option<&'a str>, &'a str)>,
}

impl CommandWords<'_> {
    /// Those of a host that says none: the package of the project, with runs in files.
    pub const LOCAL: Self = CommandWords {
        program: "npx milepost",
        database: None,
    };

    /// The sentence that says which command brings a run back from its history.
    pub fn recover(&self, command: &str, feature: Option<&str>) -> String {
        // Always named, an empty one too: without one the run of the branch is meant, which may be another one.
        let feature = Some(feature.unwrap_or_default());
        let line = self.line(&["recover ", command].concat(), feature, "");
        ["`", &line, "` brings it back"].concat()
    }

    /// A command of a verb with its words, for a feature, which is empty for none, and with options behind it.
    pub(super) fn line(&self, words: &str, feature: Option<&str>, options: &str) -> String {
        let mut line = [self.program, " ", words].concat();
        if let Some(feature) = feature {
            // PowerShell passes no empty word on.
            match feature {
                "" => line.push_str(" --feature="),
                feature => line.push_str(&[" --feature ", &shell_word(feature)].concat()),
            }
        }
        line.push_str(options);
        if let Some((variable, project)) = self.database {
            let store = shell_word(&["env:", variable.unwrap_or_default()].concat());
            let project = shell_word(project);
            line.push_str(&format!(" --store {store} --project {project}"));
        }
        line
    }
}
