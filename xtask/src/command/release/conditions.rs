//! The reasons why a commit must not be released.

use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::workspace::Workspace;

/// The domain of addresses that are not known yet, and the scope of JSR.
const PLACEHOLDERS: [&str; 2] = ["owner.invalid", "owner-invalid"];

/// The state of a clone, as far as a release depends on it.
#[derive(Debug, Default)]
struct State {
    version: String,
    /// Of `owner.json`.
    owner: String,
    changelog: String,
    /// The tags of HEAD.
    here: Vec<String>,
    /// Every tag.
    tags: Vec<String>,
    /// The output of `git status --porcelain`.
    changes: String,
}

/// Every reason why HEAD of this clone must not be released.
pub(super) fn reasons_against(workspace: &Workspace) -> Result<Vec<String>> {
    let git = |words: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(workspace.root()).args(words);
        process::stdout_of(&mut git).with_context(|| format!("`git {}` failed", words.join(" ")))
    };
    let lines = |text: String| text.lines().map(str::to_owned).collect();
    let read = |name: &str| {
        std::fs::read_to_string(workspace.join(name)).with_context(|| format!("cannot read {name}"))
    };
    Ok(State {
        version: version(&read("Cargo.toml")?)?,
        owner: read("owner.json")?,
        changelog: read("CHANGELOG.md")?,
        here: lines(git(&["tag", "--points-at", "HEAD"])?),
        tags: lines(git(&["tag", "--list"])?),
        changes: git(&["status", "--porcelain"])?,
    }
    .reasons())
}

/// The version of the crate, which all parts of a release have.
pub(super) fn version(manifest: &str) -> Result<String> {
    let line = manifest
        .lines()
        .find_map(|it| it.strip_prefix("version = \""));
    let version = line.and_then(|it| it.strip_suffix('"'));
    Ok(version.context("Cargo.toml has no version")?.to_owned())
}

impl State {
    fn reasons(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        let tag = format!("v{}", self.version);
        let placeholder = PLACEHOLDERS.iter().find(|it| self.owner.contains(**it));
        if let Some(placeholder) = placeholder {
            reasons.push(format!(
                "owner.json has placeholders (`{placeholder}`): write the owner's names, then \
                 `MILEPOST_BLESS=1 cargo test --test core owner::`"
            ));
        }
        if !self.changes.is_empty() {
            reasons.push("files differ from the commit: commit them, or take them away".to_owned());
        }
        if !self.here.contains(&tag) {
            reasons.push(format!("HEAD has no tag {tag}: `git tag {tag}`"));
        }
        let heading = format!("\n## {}", self.version);
        if !self.changelog.contains(&heading) {
            reasons.push(format!(
                "CHANGELOG.md has no section for {}: `## Unreleased` becomes it",
                self.version
            ));
        }
        let later = self.tags.iter().filter(|it| number(it) > number(&tag));
        if let Some(later) = later.max_by_key(|it| number(it)) {
            reasons.push(format!(
                "{later} is later than {tag}: this is an older state"
            ));
        }
        reasons
    }
}

/// The three numbers of a tag of a version.
fn number(tag: &str) -> Option<[u64; 3]> {
    let mut parts = tag.strip_prefix('v')?.split('.').map(|it| it.parse().ok());
    let number = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(number)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{State, version};

    /// A change of a state.
    type Change = fn(&mut State);

    fn releasable() -> State {
        State {
            version: "0.10.0".to_owned(),
            owner: "https://example.org/milepost".to_owned(),
            changelog: "# Changelog\n\n## 0.10.0\n".to_owned(),
            here: vec!["v0.10.0".to_owned()],
            tags: ["v0.9.0", "v0.10.0", "other"].map(str::to_owned).into(),
            changes: String::new(),
        }
    }

    #[test]
    fn a_tagged_clean_commit_with_its_changes_written_down_is_released() {
        assert_eq!(releasable().reasons(), Vec::<String>::new());
    }

    #[test]
    fn each_condition_alone_forbids_a_release() {
        let changes: [(&str, Change); 6] = [
            ("owner.json has placeholders", |it| {
                it.owner = "https://owner.invalid/milepost".to_owned();
            }),
            ("owner.json has placeholders", |it| {
                it.owner = "@owner-invalid".to_owned();
            }),
            ("files differ", |it| it.changes = " M src/lib.rs".to_owned()),
            ("HEAD has no tag v0.10.0", |it| it.here.clear()),
            ("CHANGELOG.md has no section", |it| {
                it.changelog = "## Unreleased".to_owned();
            }),
            ("v0.11.0 is later than v0.10.0", |it| {
                it.tags.push("v0.11.0".to_owned());
            }),
        ];
        for (expected, change) in changes {
            let mut state = releasable();
            change(&mut state);
            let reasons = state.reasons();
            assert_eq!(reasons.len(), 1, "{reasons:?}");
            assert!(reasons[0].starts_with(expected), "{reasons:?}");
        }
    }

    #[test]
    fn the_version_is_that_of_the_manifest() {
        assert_eq!(
            version("[package]\nversion = \"1.2.3\"\n").unwrap(),
            "1.2.3"
        );
        assert!(version("[package]\n").is_err());
    }
}
