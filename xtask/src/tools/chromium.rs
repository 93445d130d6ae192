//! Chromium and its driver, as Debian packages them.

use super::{Found, debian};

/// Where the tests of pages run.
#[derive(Debug)]
pub(crate) struct Chromium {
    pub(crate) browser: Found,
    pub(crate) driver: Found,
}

/// Finds Chromium on the PATH; as root on Debian, installs it.
pub(crate) fn chromium() -> Chromium {
    let packages = ["chromium", "chromium-driver"];
    let programs = ["chromium", "chromedriver"];
    let [browser, driver] = debian::find("Chromium", &packages, programs);
    Chromium { browser, driver }
}
