//! The command lines of coding agents that tests run: at the versions of the recorded payloads, or the newest ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::node::{self, Platform};
use crate::process;
use crate::workspace::Workspace;

/// A coding agent that tests run.
#[derive(Debug)]
pub(crate) struct CodingAgent {
    /// Its name on Milepost's command line.
    pub(crate) name: &'static str,
    /// Its maker's name for it.
    pub(crate) title: &'static str,
    /// Its package on npm.
    package: &'static str,
    pin: Pin,
    /// Its program below `node_modules`, where tests are given that instead of the folder.
    program: Option<&'static str>,
    /// The variable by which tests find it.
    pub(crate) variable: &'static str,
    /// The file of its tests, from the root of the clone.
    pub(crate) tests: &'static str,
    /// True if it runs only where it is named: its terms are more than a licence to run it.
    pub(crate) is_asked_for: bool,
    /// The Node that it needs, where that is a newer one than the package needs.
    pub(crate) node: Option<u32>,
}

/// The file with the version of the recorded payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pin {
    /// In a folder with a lock file.
    Locked(&'static str),
    /// In a folder without one: of some of its packages for other systems, a lock file that is made on one machine may
    /// know nothing, and npm then installs none of them elsewhere.
    Unlocked(&'static str),
}

const LOCKED: Pin = Pin::Locked("npm-agents");
const UNLOCKED: Pin = Pin::Unlocked("npm-agents-unlocked");

/// Every one of them.
pub(crate) static ALL: [CodingAgent; 6] = [
    CodingAgent {
        name: "claude-code",
        title: "Claude Code",
        package: "@anthropic-ai/claude-code",
        pin: Pin::Locked("npm-claude-code"),
        // The launcher for where npm runs no install scripts.
        program: Some("@anthropic-ai/claude-code/cli-wrapper.cjs"),
        variable: "MILEPOST_CLAUDE_CODE",
        tests: "tests/hosts/claude-code/claude-code.test.mjs",
        is_asked_for: true,
        node: None,
    },
    CodingAgent {
        name: "codex",
        title: "Codex",
        package: "@openai/codex",
        pin: LOCKED,
        program: None,
        variable: "MILEPOST_CODEX",
        tests: "tests/hosts/cli-agents/codex.test.mjs",
        is_asked_for: false,
        node: None,
    },
    CodingAgent {
        name: "gemini",
        title: "Gemini CLI",
        package: "@google/gemini-cli",
        pin: LOCKED,
        program: None,
        variable: "MILEPOST_GEMINI",
        tests: "tests/hosts/cli-agents/gemini.test.mjs",
        is_asked_for: false,
        node: None,
    },
    CodingAgent {
        name: "copilot",
        title: "Copilot CLI",
        package: "@github/copilot",
        pin: LOCKED,
        program: None,
        variable: "MILEPOST_COPILOT",
        tests: "tests/hosts/cli-agents/copilot.test.mjs",
        is_asked_for: false,
        node: None,
    },
    CodingAgent {
        name: "opencode",
        title: "OpenCode",
        package: "opencode-ai",
        pin: UNLOCKED,
        program: None,
        variable: "MILEPOST_OPENCODE",
        tests: "tests/hosts/cli-agents/opencode.test.mjs",
        is_asked_for: false,
        node: None,
    },
    CodingAgent {
        name: "qwen-code",
        title: "Qwen Code",
        package: "@qwen-code/qwen-code",
        pin: UNLOCKED,
        program: None,
        variable: "MILEPOST_QWEN_CODE",
        tests: "tests/hosts/cli-agents/qwen-code.test.mjs",
        is_asked_for: false,
        node: Some(22),
    },
];

/// One of them, and the value of its variable.
#[derive(Clone, Debug)]
pub(crate) struct Installed {
    pub(crate) version: String,
    pub(crate) path: PathBuf,
}

impl CodingAgent {
    /// The version whose payloads are recorded.
    pub(crate) fn recorded_version(&self, workspace: &Workspace) -> Result<String> {
        let (Pin::Locked(folder) | Pin::Unlocked(folder)) = self.pin;
        let file = workspace.join(&format!("xtask/{folder}/package.json"));
        let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let manifest: Value = serde_json::from_slice(&text)
            .with_context(|| format!("{} is not valid JSON", file.display()))?;
        let version = manifest["dependencies"][self.package].as_str();
        let version = version
            .with_context(|| format!("{} names no version of {}", file.display(), self.package))?;
        Ok(version.to_owned())
    }

    /// Installs that version, once for all clones.
    pub(crate) fn recorded(&self, workspace: &Workspace) -> Result<Installed> {
        let version = self.recorded_version(workspace)?;
        let folder = match self.pin {
            Pin::Locked(folder) => {
                let manifest = workspace.join(&format!("xtask/{folder}"));
                node::install(&manifest, folder, Platform::This)?
            }
            Pin::Unlocked(_) => self.install(&version)?,
        };
        Ok(self.installed(version, &folder))
    }

    /// Installs the newest version, once for all clones.
    pub(crate) fn newest(&self) -> Result<Installed> {
        let answer =
            process::stdout_of(node::npm().args(["view", self.package, "dist-tags.latest"]));
        let version = answer.with_context(|| {
            format!(
                "npm does not say which version of {} is the newest one: check the network and npm's configuration",
                self.package
            )
        })?;
        // It becomes the name of a folder.
        let is_version = |text: &str| {
            text.starts_with(|first: char| first.is_ascii_digit())
                && text
                    .chars()
                    .all(|it| it.is_ascii_alphanumeric() || ".-+".contains(it))
        };
        ensure!(
            is_version(&version),
            "npm answered `{version}` for the newest version of {}",
            self.package
        );
        let folder = self.install(&version)?;
        Ok(self.installed(version, &folder))
    }

    fn install(&self, version: &str) -> Result<PathBuf> {
        node::install_version(&format!("agent-{}", self.name), self.package, version)
    }

    fn installed(&self, version: String, folder: &Path) -> Installed {
        let modules = folder.join("node_modules");
        let path = match self.program {
            Some(program) => modules.join(program),
            None => modules,
        };
        Installed { version, path }
    }
}

/// The Claude Code of the user, if the PATH has one.
pub(crate) fn claude_of_user() -> Option<Installed> {
    let version = process::stdout_of(Command::new("claude").arg("--version"))?;
    // `2.1.329 (Claude Code)`
    let version = version.split(' ').next().unwrap_or_default().to_owned();
    let path = PathBuf::from("claude");
    Some(Installed { version, path })
}

/// Those of these names, each once and in the order of the table; without names, those that need not be named.
///
/// # Errors
///
/// Says which names there are.
pub(crate) fn chosen(names: &[String]) -> Result<Vec<&'static CodingAgent>> {
    let known = || ALL.iter().map(|agent| agent.name);
    if let Some(unknown) = names
        .iter()
        .find(|name| known().all(|it| it != name.as_str()))
    {
        let known: Vec<&str> = known().collect();
        bail!(
            "there is no agent `{unknown}`; there are {}",
            known.join(", ")
        );
    }
    let is_chosen = |agent: &&CodingAgent| match names.is_empty() {
        true => !agent.is_asked_for,
        false => names.iter().any(|name| name == agent.name),
    };
    Ok(ALL.iter().filter(is_chosen).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{ALL, chosen};
    use crate::workspace::Workspace;

    fn names(asked: &[&str]) -> Vec<&'static str> {
        let asked: Vec<String> = asked.iter().map(|name| (*name).to_owned()).collect();
        let chosen = chosen(&asked).unwrap();
        chosen.iter().map(|agent| agent.name).collect()
    }

    #[test]
    fn agent_with_terms_of_its_own_is_chosen_by_its_name_alone() {
        assert_eq!(
            names(&[]),
            ["codex", "gemini", "copilot", "opencode", "qwen-code"]
        );
        assert_eq!(names(&["claude-code"]), ["claude-code"]);
        assert_eq!(names(&["gemini", "codex", "gemini"]), ["codex", "gemini"]);
    }

    #[test]
    fn unknown_agent_is_refused_with_the_names_of_all() {
        let refusal = chosen(&["cursor".to_owned()]).unwrap_err().to_string();
        assert!(refusal.contains("`cursor`"), "{refusal}");
        for agent in &ALL {
            assert!(refusal.contains(agent.name), "{refusal}");
        }
    }

    #[test]
    fn each_agent_has_a_version_tests_and_recorded_payloads() {
        let workspace = Workspace::find().unwrap();
        for agent in &ALL {
            let version = agent.recorded_version(&workspace).unwrap();
            assert!(
                version.starts_with(|it: char| it.is_ascii_digit()),
                "{version}"
            );
            let payloads = format!("tests/agents/{}.jsonl", agent.name);
            for file in [agent.tests, payloads.as_str()] {
                assert!(workspace.join(file).is_file(), "{}: {file}", agent.name);
            }
        }
    }
}
