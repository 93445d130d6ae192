//! The throwaway repository of the tour.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::agent::Agent;
use crate::tools::node;

/// The variables that would lead to another repository, run or user.
const FOREIGN: [&str; 9] = [
    "GIT_ROOT",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "MILEPOST_COMMAND",
    "MILEPOST_FEATURE",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_PROJECT_DIR",
    crate::process::CERTIFICATES,
];

/// The file in which `hooks install --scope local` registers them.
const SETTINGS: &str = ".claude/settings.local.json";

/// A git repository with a commit on the branch `dark-mode`, and a home without settings beside it.
pub(super) struct Project {
    root: PathBuf,
    home: PathBuf,
    program: PathBuf,
}

impl Project {
    pub(super) fn make(folder: &Path, program: &Path) -> Result<Self> {
        // Agents name the folder as the system does.
        let folder = fs::canonicalize(folder)?;
        let project = Self {
            root: folder.join("project"),
            home: folder.join("home"),
            program: program.to_owned(),
        };
        fs::create_dir(&project.root)?;
        fs::create_dir(&project.home)?;
        project.git(&["init", "--quiet", "--initial-branch", "dark-mode"])?;
        fs::write(project.join("README.md"), "A page.\n")?;
        project.git(&["add", "README.md"])?;
        project.git(&["commit", "--quiet", "--message", "first"])?;
        Ok(project)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn join(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// A text without the path of the repository, which is of no interest.
    pub(super) fn shortened(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.root.display()), "")
    }

    pub(super) fn git(&self, arguments: &[&str]) -> Result<String> {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=tour", "-c", "user.email=tour@localhost"]);
        git.args(["-c", "commit.gpgsign=false"]).args(arguments);
        self.output(&mut git, "")
    }

    /// Returns what the command line prints.
    pub(super) fn milepost(&self, arguments: &[&str]) -> Result<String> {
        let mut milepost = node::node();
        milepost.arg(&self.program).args(arguments);
        self.output(&mut milepost, "")
    }

    /// Starts an agent that works in the repository.
    pub(super) fn agent(&self) -> Result<Agent> {
        let mut node = node::node();
        self.surround(&mut node);
        node.env("CLAUDE_PROJECT_DIR", &self.root);
        Agent::start(node)
    }

    /// Has the agent run what the settings have for an event, as Claude Code does: with the payload on standard input.
    /// Returns what each prints.
    pub(super) fn hooks(
        &self,
        agent: &mut Agent,
        event: &str,
        tool: Option<&str>,
        payload: &str,
    ) -> Result<Vec<String>> {
        let settings = fs::read_to_string(self.join(SETTINGS))
            .with_context(|| format!("there is no {SETTINGS}"))?;
        let settings: Value = serde_json::from_str(&settings)?;
        let groups = settings["hooks"][event].as_array();
        let mut printed = Vec::new();
        for group in groups
            .into_iter()
            .flatten()
            .filter(|group| is_for(group, tool))
        {
            for handler in group["hooks"].as_array().into_iter().flatten() {
                let command = handler["command"].as_str().context("a hook runs nothing")?;
                let root = self.root.to_string_lossy();
                let placed = |argument: &Value| {
                    let argument = argument.as_str().unwrap_or_default();
                    Value::from(argument.replace("${CLAUDE_PROJECT_DIR}", &root))
                };
                let args = handler["args"].as_array();
                let args = args.map_or(Value::Null, |args| args.iter().map(placed).collect());
                printed.push(agent.hook(command, &args, payload)?);
            }
        }
        Ok(printed)
    }

    /// The folder and the environment of what runs in the repository.
    fn surround(&self, command: &mut Command) {
        for name in FOREIGN {
            command.env_remove(name);
        }
        command
            .current_dir(&self.root)
            .env("HOME", &self.home)
            .env("USERPROFILE", &self.home);
    }

    fn output(&self, command: &mut Command, input: &str) -> Result<String> {
        let program = command.get_program().to_string_lossy().into_owned();
        self.surround(command);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start `{program}`"))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program may end before it has read everything.
            drop(stdin.write_all(input.as_bytes()));
        }
        let output = child.wait_with_output()?;
        let errors = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!(
                "`{program}` failed ({})\n{}",
                output.status,
                errors.trim_end()
            );
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Returns whether a group of handlers is for a tool: it names those, or none.
fn is_for(group: &Value, tool: Option<&str>) -> bool {
    match (group["matcher"].as_str(), tool) {
        (None | Some("" | "*"), _) | (_, None) => true,
        (Some(names), Some(tool)) => names.split('|').any(|name| name == tool),
    }
}

#[cfg(test)]
mod tests {
    use super::is_for;
    use serde_json::json;

    #[test]
    fn group_of_handlers_is_for_the_tools_that_it_names() {
        let group = json!({ "matcher": "Write|TaskCreate" });
        assert!(is_for(&group, Some("Write")));
        assert!(!is_for(&group, Some("Wri")));
        assert!(is_for(&group, None));
        assert!(is_for(&json!({}), Some("Bash")));
    }
}
