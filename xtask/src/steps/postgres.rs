//! Tests of the package over a PostgreSQL server, which they start themselves.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::node::node_tests_with;
use super::{Outcome, pages};
use crate::building::BuildContext;
use crate::folder;
use crate::test::Range;
use crate::tools::ToolLookup;
use crate::tools::node::{self, Platform};

/// Puts `pg` beside the package in its project, as its users do.
pub(crate) fn driver(context: &BuildContext) -> Result<()> {
    driver_into(context, &context.project()?.join("node_modules"))
}

/// Puts `pg` among the packages of a project.
pub(super) fn driver_into(context: &BuildContext, modules: &Path) -> Result<()> {
    let manifest = context.workspace.join("xtask/npm-postgres");
    let driver = node::install(&manifest, "npm-postgres", Platform::This)?;
    let (driver, linked) = (driver.join("node_modules/pg"), modules.join("pg"));
    if fs::read_link(&linked).is_ok_and(|target| target != driver) {
        fs::remove_file(&linked).with_context(|| format!("cannot remove {}", linked.display()))?;
    }
    if !linked.exists() {
        folder::link(&driver, &linked)?;
    }
    Ok(())
}

/// The tests start a server themselves.
pub(super) fn tests(context: &BuildContext, range: Range) -> Result<Outcome> {
    let programs = match context.postgres()? {
        ToolLookup::At(folder) => folder,
        ToolLookup::Missing(why) => return Ok(Outcome::Skipped(why.clone())),
    };
    driver(context)?;
    node_tests_with(
        context,
        range,
        &["tests/hosts/postgres"],
        &[
            ("MILEPOST_POSTGRES", programs),
            (pages::CLONE, context.workspace.root()),
        ],
    )
}
