//! valgrind, as Debian packages it: it counts instructions, regardless of what else the machine does.

use super::{ToolLookup, debian};

/// Finds valgrind on the PATH; as root on Debian, installs it.
pub(crate) fn valgrind() -> ToolLookup {
    let [found] = debian::find("valgrind", &["valgrind"], ["valgrind"]);
    found
}
