//! The parts of the library in this build: all of it, or the part of the wasm of hooks or of the
//! viewer.

/// True if this is more than the wasm of hooks.
pub(crate) const IS_WHOLE: bool = !cfg!(hook_wasm);

/// True if anything can be written: a page has files in memory, and shows them.
pub(crate) const WRITES: bool = !cfg!(viewer_wasm);

/// True if secrets are looked for before anything is stored or sent from here. The wasm of hooks
/// leaves its suspicions to the library, and a page stores nothing.
pub(crate) const HIDES_SECRETS: bool = IS_WHOLE && WRITES;

/// The sentence of a failure, as `format!` writes it. The wasm of hooks has none: what fails there is
/// left to the library, which says why. docs/internals/builds.md has what that saves.
macro_rules! sentence {
    ($($words:tt)*) => {
        match $crate::extent::IS_WHOLE {
            true => format!($($words)*),
            false => String::new(),
        }
    };
}
