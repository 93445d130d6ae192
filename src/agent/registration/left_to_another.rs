//! The entry that takes an event, of several that an agent runs for it: the order is that of [`super::precedence`].
//!
//! An entry later in it looks for those before it, so that it does not matter which one is started first, and the first
//! one asks nothing.

use crate::agent::Agent;
use crate::json::{self, Json};

use super::command::{COMPILED, ENTRY, FILE};
use super::file::{AgentSettingsFile, SettingsFolder, SettingsScope, file};
use super::native_line::{self, NAME};
use super::plugin::PLUGIN_WORDS;
use super::precedence::ORDER;
use super::trust::{trust_file, trusts, trusts_anyway};

/// The package of a workspace is at most so many folders above a project in it.
const MAX_ABOVE: usize = 4;

/// The machine that an entry looks for others on.
pub trait EntryLookup {
    /// All of a file; `None` where it cannot be read as text.
    fn text(&self, path: &str) -> Option<String>;
    /// Returns whether something stands at a path, through symbolic links.
    fn is_there(&self, path: &str) -> bool;
    /// A variable of the environment that is set and not empty.
    fn variable(&self, name: &str) -> Option<String>;
    /// The home of the user.
    fn home(&self) -> Option<String>;
}

/// An entry that was started, and for what.
#[derive(Clone, Copy, Debug)]
pub struct StartedEntry<'a> {
    /// The agent whose settings it is in.
    pub agent: Agent,
    /// The scope of these.
    pub scope: SettingsScope,
    /// The agent that started it.
    pub sender: Agent,
    /// The event, as the sender calls it.
    pub event: &'a str,
    /// The project, as the agent's variable says it.
    pub project: Option<&'a str>,
    /// The folder that the agent works in.
    pub folder: &'a str,
}

/// Returns whether an entry before this one takes the event.
pub fn is_left_to_another(started: &StartedEntry<'_>, machine: &impl EntryLookup) -> bool {
    let StartedEntry {
        agent,
        scope,
        sender,
        event,
        ..
    } = *started;
    let search = EntrySearch {
        machine,
        home: machine.home().unwrap_or_default(),
    };
    let around = || search.up_to_repository(started.folder);
    let folders = started
        .project
        .map_or_else(around, |project| vec![project.to_owned()]);
    let before = ORDER.into_iter().take_while(|earlier| *earlier != scope);
    // That an agent runs this one says that it runs all of the project's.
    let is_in_project = scope != SettingsScope::User;
    if search.runs(agent, before, Some(event), &folders, is_in_project) {
        return true;
    }
    // The sender's own entries name events otherwise, and are for all of them.
    sender != agent && search.runs(sender, ORDER.into_iter(), None, &around(), is_in_project)
}

struct EntrySearch<'a, M> {
    machine: &'a M,
    home: String,
}

impl<M: EntryLookup> EntrySearch<'_, M> {
    /// Returns whether an agent runs an entry in one of its files. Where it does not trust the project, it runs none of
    /// that.
    fn runs(
        &self,
        agent: Agent,
        scopes: impl Iterator<Item = SettingsScope>,
        event: Option<&str>,
        folders: &[String],
        is_trusted: bool,
    ) -> bool {
        let files = scopes.filter_map(|scope| file(agent, scope));
        let found = files.filter(|file| self.has_entry(*file, event, folders));
        let mut found = found.peekable();
        let is_any = found.peek().is_some();
        found.any(|file| file.base != SettingsFolder::Project)
            || is_any && (is_trusted || self.trusts(agent, folders))
    }

    /// Returns whether an agent that runs hooks in trusted folders only trusts one of these.
    fn trusts(&self, agent: Agent, folders: &[String]) -> bool {
        let Some(file) = trust_file(agent) else {
            return true;
        };
        let anyway = trusts_anyway(agent);
        if anyway.is_some_and(|name| self.machine.variable(name).is_some()) {
            return true;
        }
        let text = self.of_user(file).and_then(|path| self.machine.text(&path));
        text.is_some_and(|text| folders.iter().any(|folder| trusts(&text, folder)))
    }

    /// The path of a file of the user; `None` for one of the project.
    fn of_user(&self, file: AgentSettingsFile) -> Option<String> {
        let folder = match file.base {
            SettingsFolder::Project => return None,
            SettingsFolder::Home => self.home.clone(),
            SettingsFolder::Configured(variable, folder) => self
                .machine
                .variable(variable)
                .unwrap_or_else(|| format!("{}/{folder}", self.home)),
        };
        Some(format!("{folder}/{}", file.path))
    }

    /// A folder and those above it, up to that of its repository; alone without one.
    fn up_to_repository(&self, folder: &str) -> Vec<String> {
        let mut folders = vec![folder.to_owned()];
        let mut at = folder;
        while !self.machine.is_there(&format!("{at}/.git")) {
            let Some((above, _)) = at.rsplit_once('/') else {
                return vec![folder.to_owned()];
            };
            folders.push(above.to_owned());
            at = above;
        }
        folders
    }

    fn has_entry(&self, file: AgentSettingsFile, event: Option<&str>, folders: &[String]) -> bool {
        let files = match self.of_user(file) {
            Some(path) => vec![path],
            None => {
                let paths = folders
                    .iter()
                    .map(|folder| format!("{folder}/{}", file.path));
                // In the home, the user's own file is no project's.
                let of_home = |path: &String| {
                    let mut parts = path.rsplitn(3, '/');
                    parts.nth(2) == Some(self.home.as_str())
                };
                paths.filter(|path| !of_home(path)).collect()
            }
        };
        let lines = files.iter().flat_map(|path| self.lines_in(path, event));
        lines.into_iter().any(|words| self.is_ours(&words, folders))
    }

    /// The commands of an event in a file, by their words. One that cannot be read has none for its agent either; one
    /// that is no JSON is a plugin, which is for all events.
    fn lines_in(&self, path: &str, event: Option<&str>) -> Vec<EntryWords> {
        let Some(text) = self.machine.text(path) else {
            return Vec::new();
        };
        if ![NAME, COMPILED].iter().any(|it| text.contains(it)) {
            return Vec::new();
        }
        if path.ends_with(".js") {
            let mut lines = text.lines();
            let line = lines.find_map(|line| line.strip_prefix(PLUGIN_WORDS));
            return line.map(EntryWords::of_line).into_iter().collect();
        }
        let reading = json::read(text.as_bytes()).ok();
        let hooks = reading.and_then(|it| it.value.as_object()?.get("hooks")?.as_object().cloned());
        let Some(hooks) = hooks else {
            return Vec::new();
        };
        let lists = hooks
            .iter()
            .filter(|(name, _)| event.is_none_or(|event| *name == event));
        let items = lists.flat_map(|(_, list)| list.as_array().unwrap_or_default());
        items.flat_map(EntryWords::of_item).collect()
    }

    /// Returns whether a command runs a program of ours that is there: in a clone without its packages, no other entry
    /// takes the event.
    fn is_ours(&self, entry: &EntryWords, folders: &[String]) -> bool {
        if let Some(file) = native_line::program_of(&entry.line) {
            return match file {
                Some(file) => self.machine.is_there(&file),
                None => self.is_on_path(),
            };
        }
        let is_compiled = entry.line.contains(NAME) && entry.line.contains(" hook ");
        entry.words.iter().any(|word| {
            if word == ENTRY {
                return self.is_installed(folders);
            }
            if word.ends_with(FILE) {
                return folders.iter().any(|folder| self.is_file(word, folder));
            }
            is_compiled && word.ends_with(COMPILED) && self.machine.is_there(word)
        })
    }

    /// Returns whether a file is there that is absolute, or below the project.
    fn is_file(&self, word: &str, folder: &str) -> bool {
        let file = word.replace("${CLAUDE_PROJECT_DIR}", folder);
        match file.starts_with('/') {
            true => self.machine.is_there(&file),
            false => self.machine.is_there(&format!("{folder}/{file}")),
        }
    }

    /// Returns whether the PATH has the native program.
    fn is_on_path(&self) -> bool {
        let path = self.machine.variable("PATH").unwrap_or_default();
        let mut folders = path.split(':').filter(|folder| !folder.is_empty());
        folders.any(|folder| self.machine.is_there(&format!("{folder}/{NAME}")))
    }

    /// Returns whether Node finds the package from the project.
    fn is_installed(&self, folders: &[String]) -> bool {
        let Some(folder) = folders.first() else {
            return false;
        };
        (0..=MAX_ABOVE).any(|above| {
            let above = "../".repeat(above);
            self.machine
                .is_there(&format!("{folder}/{above}node_modules/{FILE}"))
        })
    }
}

/// A command of an entry.
struct EntryWords {
    line: String,
    words: Vec<String>,
}

impl EntryWords {
    /// The words of a line: what is between quotes is one.
    fn of_line(line: &str) -> Self {
        let parts = line.split('"').enumerate();
        let words = parts.flat_map(|(at, part)| match at % 2 {
            1 => vec![part],
            _ => part.split(' ').collect(),
        });
        EntryWords {
            words: words.map(|word| word.replace('\\', "/")).collect(),
            line: line.to_owned(),
        }
    }

    /// The commands of one item of an event's list: itself, or several in `hooks`.
    fn of_item(item: &Json) -> Vec<Self> {
        let item = item.as_object();
        let inner = item.and_then(|it| it.get("hooks")?.as_array());
        let handlers: Vec<_> = match inner {
            Some(inner) => inner.iter().filter_map(Json::as_object).collect(),
            None => item.into_iter().collect(),
        };
        let entry = |handler: &json::Object| {
            let text = |name| handler.get(name).and_then(Json::as_str);
            let line = text("command").or(text("bash")).unwrap_or_default();
            let mut entry = EntryWords::of_line(line);
            if let Some(words) = handler.get("args").and_then(Json::as_array) {
                let words = words.iter().filter_map(Json::as_str);
                entry.words = words.map(|word| word.replace('\\', "/")).collect();
            }
            entry
        };
        handlers.into_iter().map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{EntryLookup, SettingsScope, StartedEntry, is_left_to_another};
    use crate::agent::Agent;

    /// A machine of files in memory, in which the home is `/home/me`.
    struct MadeUpMachine(BTreeMap<&'static str, &'static str>);

    impl EntryLookup for MadeUpMachine {
        fn text(&self, path: &str) -> Option<String> {
            self.0.get(path).map(|&text| text.to_owned())
        }

        fn is_there(&self, path: &str) -> bool {
            self.0.contains_key(path)
        }

        fn variable(&self, name: &str) -> Option<String> {
            (name == "PATH").then(|| "/usr/bin:/home/me/.cargo/bin".to_owned())
        }

        fn home(&self) -> Option<String> {
            Some("/home/me".to_owned())
        }
    }

    const GIT: (&str, &str) = ("/p/.git", "");
    const PACKAGE: (&str, &str) = ("/p/node_modules/milepost/bin/hook.js", "");
    const OF_PROJECT: (&str, &str) = (
        "/p/.claude/settings.json",
        r#"{"hooks": {"Stop": [{"hooks": [{"command": "node -e \"…\" milepost/hook claude-code ; exit 0"}]}]}}"#,
    );
    const OF_USER: (&str, &str) = (
        "/home/me/.claude/settings.json",
        r#"{"hooks": {"Stop": [{"hooks": [{"command": "node -e \"…\" \"/opt/milepost/bin/hook.js\" claude-code user"}]}]}}"#,
    );
    const INSTALLED: (&str, &str) = ("/opt/milepost/bin/hook.js", "");
    const OF_CODEX: (&str, &str) = (
        "/p/.codex/hooks.json",
        r#"{"hooks": {"Stop": [{"hooks": [{"command": "node -e \"…\" milepost/hook codex"}]}]}}"#,
    );
    const OF_CURSOR: (&str, &str) = (
        "/p/.cursor/hooks.json",
        r#"{"hooks": {"stop": [{"command": "node -e \"…\" milepost/hook cursor"}]}}"#,
    );
    const TRUST: (&str, &str) = (
        "/home/me/.codex/config.toml",
        "[projects.\"/p\"]\ntrust_level = \"trusted\"\n",
    );

    fn is_left(
        files: &[(&'static str, &'static str)],
        (agent, scope, sender): (Agent, SettingsScope, Agent),
    ) -> bool {
        let started = StartedEntry {
            agent,
            scope,
            sender,
            event: "Stop",
            project: None,
            folder: "/p/sub",
        };
        is_left_to_another(&started, &MadeUpMachine(files.iter().copied().collect()))
    }

    #[test]
    fn an_entry_of_the_user_leaves_an_event_to_that_of_the_project_where_its_program_is_there() {
        let of_user = (Agent::ClaudeCode, SettingsScope::User, Agent::ClaudeCode);
        let package_above = ("/p/sub/node_modules/milepost/bin/hook.js", "");
        assert!(is_left(&[GIT, package_above, OF_PROJECT], of_user));
        assert!(!is_left(&[GIT, OF_PROJECT], of_user));
        assert!(!is_left(&[GIT, package_above], of_user));
        let of_project = (Agent::ClaudeCode, SettingsScope::Project, Agent::ClaudeCode);
        assert!(!is_left(
            &[GIT, package_above, OF_PROJECT, OF_USER, INSTALLED],
            of_project
        ));
    }

    #[test]
    fn an_entry_of_the_native_program_takes_an_event_where_the_program_is_there() {
        let of_user = (Agent::Codex, SettingsScope::User, Agent::Codex);
        let on_path = (
            "/p/.codex/hooks.json",
            r#"{"hooks": {"Stop": [{"hooks": [{"command": "milepost hook codex ; exit 0"}]}]}}"#,
        );
        let by_file = (
            "/p/.codex/hooks.json",
            r#"{"hooks": {"Stop": [{"hooks": [{"command": "\"/opt/milepost\" hook codex ; exit 0"}]}]}}"#,
        );
        let installed = ("/home/me/.cargo/bin/milepost", "");
        let in_opt = ("/opt/milepost", "");
        assert!(is_left(&[GIT, on_path, TRUST, installed], of_user));
        assert!(!is_left(&[GIT, on_path, TRUST, in_opt], of_user));
        assert!(is_left(&[GIT, by_file, TRUST, in_opt], of_user));
        assert!(!is_left(&[GIT, by_file, TRUST, installed], of_user));
    }

    #[test]
    fn an_entry_that_another_agent_started_leaves_the_event_to_that_agents_own() {
        let by_cursor = (Agent::ClaudeCode, SettingsScope::Project, Agent::Cursor);
        let package = ("/p/sub/node_modules/milepost/bin/hook.js", "");
        assert!(is_left(&[GIT, package, OF_CURSOR], by_cursor));
        assert!(!is_left(&[GIT, package], by_cursor));
        assert!(!is_left(
            &[GIT, PACKAGE, OF_CURSOR],
            (Agent::ClaudeCode, SettingsScope::Project, Agent::ClaudeCode)
        ));
    }

    #[test]
    fn an_entry_of_a_project_that_its_agent_does_not_trust_takes_nothing() {
        let of_user = (Agent::Codex, SettingsScope::User, Agent::Codex);
        let package = ("/p/sub/node_modules/milepost/bin/hook.js", "");
        assert!(is_left(&[GIT, package, OF_CODEX, TRUST], of_user));
        assert!(!is_left(&[GIT, package, OF_CODEX], of_user));
    }
}
