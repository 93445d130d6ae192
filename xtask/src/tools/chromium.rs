//! Chromium and its driver, as Debian packages them.

use super::{ToolLookup, debian};

/// The browser in which the tests of pages run.
#[derive(Debug)]
pub(crate) struct Chromium {
    pub(crate) browser: ToolLookup,
    pub(crate) driver: ToolLookup,
}

/// Finds Chromium on the PATH; as root on Debian, installs it.
pub(crate) fn chromium() -> Chromium {
    let packages = ["chromium", "chromium-driver"];
    let programs = ["chromium", "chromedriver"];
    let [browser, driver] = debian::find("Chromium", &packages, programs);
    Chromium { browser, driver }
}
