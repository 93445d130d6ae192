//! The plugin for Claude Code.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::Outcome;
use super::node::node_tests_with;
use crate::building::BuildContext;
use crate::test::Range;
use crate::{folder, process};

/// The plugin may be no larger than this: it is copied for each installed version. The vocabularies of
/// exact token counts are one megabyte of it.
const MAX_BYTES: u64 = 7_600_000;

/// Its files, hooks and server as Claude Code starts them, and what Claude Code says of it.
pub(super) fn claude_code(context: &BuildContext, range: Range) -> Result<Outcome> {
    context.package()?;
    let plugin = context.workspace.claude_plugin();
    let tests = node_tests_with(
        context,
        range,
        &["tests/hosts/claude-plugin"],
        &[("MILEPOST_CLAUDE_PLUGIN", &plugin)],
    )?;
    let Outcome::Passed(tests) = tests else {
        return Ok(tests);
    };
    let (files, bytes) = size(&plugin)?;
    ensure!(
        bytes <= MAX_BYTES,
        "the plugin has {bytes} bytes: expected at most {MAX_BYTES}"
    );
    let validated = validate(&plugin)?;
    let kilobytes = bytes.div_ceil(1000);
    Ok(Outcome::Passed(format!(
        "{tests}; {kilobytes} kB in {files} files; {validated}"
    )))
}

fn size(folder: &Path) -> Result<(usize, u64)> {
    let files = folder::files(folder)?;
    let mut bytes = 0;
    for file in &files {
        bytes += fs::metadata(file)?.len();
    }
    Ok((files.len(), bytes))
}

/// Has the user's own Claude Code validate the plugin, in a home where it finds nothing of the user and
/// leaves nothing behind. It is not installed for this: its terms are its maker's.
fn validate(plugin: &Path) -> Result<String> {
    let home = tempfile::tempdir().context("cannot make a folder for Claude Code")?;
    let claude = || {
        let mut claude = Command::new("claude");
        claude
            .env("HOME", home.path())
            .env("USERPROFILE", home.path())
            .env("CLAUDE_CONFIG_DIR", home.path().join(".claude"))
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("DISABLE_AUTOUPDATER", "1");
        claude
    };
    let Some(version) = process::stdout_of(claude().arg("--version")) else {
        return Ok("not validated: there is no `claude` on the PATH".to_owned());
    };
    let mut validate = claude();
    process::run(
        "claude plugin validate",
        validate.args(["plugin", "validate"]).arg(plugin),
    )?;
    Ok(format!("validated by {version}"))
}
