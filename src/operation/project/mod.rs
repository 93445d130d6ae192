//! The operations on a project as a whole.

pub(crate) mod budget;
pub(in crate::operation) mod files;
#[cfg(feature = "cli")]
pub(crate) mod handoff;

use super::rows;

rows! {
    load_integrations
    #[cfg(not(any(hook_wasm, viewer_wasm)))] location
    #[cfg(all_operations)] init
    #[cfg(all_operations)] doctor
}
