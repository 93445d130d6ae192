//! valgrind, as Debian packages it: it counts instructions, regardless of what else the machine does.

use super::{Found, debian};

/// Finds valgrind on the PATH; as root on Debian, installs it.
pub(crate) fn valgrind() -> Found {
    let [found] = debian::find("valgrind", &["valgrind"], ["valgrind"]);
    found
}
