//! The other name of the folder that is worked in, where symbolic links lead to it.

use std::fs;
use std::path::Path;

use crate::blocking::root::Alias;

use super::facts::folded;

/// The other name of a folder, or of the highest one above it that the links of the name lead to; `None` where there is
/// no other. `name` is absolute, `folder` as well and without links.
pub(super) fn alias_of(name: &str, folder: &str) -> Option<Alias> {
    let name = Path::new(name);
    if !name.is_absolute() {
        return None;
    }
    let given = folded(name);
    let (mut from, mut to) = (given.as_path(), Path::new(folder));
    // Windows has a form of its own for the one that it returns.
    let real = |path: &Path| {
        if cfg!(windows) {
            fs::canonicalize(path)
        } else {
            Ok(path.into())
        }
    };
    let leads = |from: &Path, to: &Path| {
        let found = fs::canonicalize(from);
        found.is_ok_and(|found| real(to).is_ok_and(|real| real == found))
    };
    if from == to || !leads(from, to) {
        return None;
    }
    // Up to the link itself: all that is in its folder has both names.
    while let (Some(above), Some(real)) = (from.parent(), to.parent())
        && from.file_name() == to.file_name()
        && leads(above, real)
    {
        (from, to) = (above, real);
    }
    Some(Alias {
        name: from.to_str()?.to_owned(),
        folder: to.to_str()?.to_owned(),
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::alias_of;

    #[test]
    fn the_highest_folder_that_has_both_names_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| {
            let path = fs::canonicalize(folder.path()).unwrap().join(name);
            path.to_str().unwrap().to_owned()
        };
        fs::create_dir_all(at("real/a/b")).unwrap();
        symlink("real", at("link")).unwrap();
        let found = alias_of(&at("link/a/b"), &at("real/a/b")).unwrap();
        assert_eq!((found.name, found.folder), (at("link"), at("real")));
        for name in ["real/a/b", "real", "absent"] {
            assert_eq!(alias_of(&at(name), &at("real/a/b")), None, "{name}");
        }
        assert_eq!(alias_of("link/a/b", &at("real/a/b")), None);
    }
}
