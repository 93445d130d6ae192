//! The builds of the clone, and what they need.

mod build_context;
pub(crate) mod compile;
pub(crate) mod component;
mod deflate;
pub(crate) mod inspect;
pub(crate) mod licences;
mod optimise;
pub(crate) mod package;
pub(crate) mod program;
pub(crate) mod remap;
pub(crate) mod vocabulary;
pub(crate) mod wasm;

use std::thread;

use anyhow::{Result, anyhow};

pub(crate) use build_context::BuildContext;
use component::Component;

/// Sets up what is missing, then brings every artefact up to date.
///
/// # Errors
///
/// Says what to install, or shows the output of what failed.
pub(crate) fn build(context: &BuildContext) -> Result<()> {
    context.node()?;
    context.toolchain()?;
    // The last optimisations of each wasm take one core.
    thread::scope(|scope| {
        let components = scope.spawn(|| {
            for component in Component::ALL {
                context.component(component)?;
            }
            Ok(())
        });
        let package = context.package();
        let components = components.join();
        package?;
        components.map_err(|_| anyhow!("the build of the components panicked"))?
    })
}
