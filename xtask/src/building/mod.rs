//! The builds of the clone, and what they need.

pub(crate) mod compile;
pub(crate) mod component;
mod ground;
pub(crate) mod inspect;
mod optimise;
pub(crate) mod package;
pub(crate) mod program;
pub(crate) mod vocabulary;
pub(crate) mod wasm;

use std::thread;

use anyhow::{Result, anyhow};

use component::Component;
pub(crate) use ground::Ground;

/// Sets up what is missing, then brings every artefact up to date.
///
/// # Errors
///
/// Says what to install, or shows the output of what failed.
pub(crate) fn build(ground: &Ground) -> Result<()> {
    ground.node()?;
    ground.toolchain()?;
    // The last optimisations of each wasm take one core.
    thread::scope(|scope| {
        let components = scope.spawn(|| {
            for component in Component::ALL {
                ground.component(component)?;
            }
            Ok(())
        });
        let package = ground.package();
        let components = components.join();
        package?;
        components.map_err(|_| anyhow!("the build of the components panicked"))?
    })
}
