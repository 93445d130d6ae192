//! Firefox, as Debian packages it: the release that is supported for a year.

use super::{ToolLookup, debian};

/// Finds Firefox on the PATH; as root on Debian, installs it.
pub(crate) fn firefox() -> ToolLookup {
    let [browser] = debian::find("Firefox", &["firefox-esr"], ["firefox-esr"]);
    browser
}
