//! The snippets of the README and of the guide, each run as it stands.

use anyhow::Result;

use super::Outcome;
use super::node::node_tests_with;
use crate::building::BuildContext;
use crate::test::Range;

/// The variable that names the clone to tests that read its pages.
pub(super) const CLONE: &str = "MILEPOST_CLONE";

/// Runs the snippets that need nothing but the package.
pub(super) fn snippets(context: &BuildContext, range: Range) -> Result<Outcome> {
    let clone = context.workspace.root();
    node_tests_with(context, range, &["tests/hosts/pages"], &[(CLONE, clone)])
}
