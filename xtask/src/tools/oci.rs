//! A registry of OCI's protocol, and a program that copies to and from one, as Debian packages them.

use super::{ToolLookup, debian};

/// Finds the registry and `skopeo` (both Apache-2.0) on the PATH; as root on Debian, installs them.
pub(crate) fn oci() -> [ToolLookup; 2] {
    debian::find(
        "a registry for components",
        &["docker-registry", "skopeo"],
        ["docker-registry", "skopeo"],
    )
}
