//! Folders as archives whose bytes follow from the files alone: no time, no owner, one order, two modes.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

use crate::folder;

/// The modes of what is a program, and of every other file.
const MODES: [u32; 2] = [0o755, 0o644];

/// Writes what is in `folder`, below the name `top`, into a file `.tar.gz`.
pub(super) fn pack(folder: &Path, top: &str, to: &Path) -> Result<()> {
    let file = File::create(to).with_context(|| format!("cannot make {}", to.display()))?;
    // Without a name, and with 0 for its time.
    let gzip = GzBuilder::new().write(file, Compression::best());
    bundle(folder, top, gzip)?
        .finish()
        .map(drop)
        .with_context(|| format!("cannot write {}", to.display()))
}

/// Writes what is in `folder`, below the name `top`, as an archive `.tar`.
pub(super) fn bundle<W: Write>(folder: &Path, top: &str, to: W) -> Result<W> {
    let mut archive = Builder::new(to);
    for path in folder::files(folder)? {
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(bytes.len() as u64);
        header.set_mode(MODES[usize::from(!is_program(&path)?)]);
        header.set_mtime(0);
        let name = Path::new(top).join(path.strip_prefix(folder)?);
        archive.append_data(&mut header, name, bytes.as_slice())?;
    }
    archive.into_inner().context("cannot write an archive")
}

#[cfg(unix)]
fn is_program(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(path)?.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> io::Result<bool> {
    Ok(path.extension().is_none_or(|ending| ending == "exe"))
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use flate2::read::GzDecoder;

    use super::pack;

    fn write(folder: &Path, name: &str, mode: u32) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, name).unwrap();
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn an_archive_tells_nothing_of_when_by_whom_and_in_which_order_its_files_were_made() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        write(&one, "bin/program", 0o755);
        write(&one, "README", 0o644);
        write(&other, "README", 0o600);
        write(&other, "bin/program", 0o700);
        let [packed, again] = [&one, &other].map(|from| {
            let to = from.with_extension("tar.gz");
            pack(from, "top", &to).unwrap();
            fs::read(to).unwrap()
        });
        assert!(packed == again);

        let mut archive = tar::Archive::new(GzDecoder::new(packed.as_slice()));
        let entries: Vec<_> = archive
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let mode = entry.header().mode().unwrap();
                (entry.path().unwrap().display().to_string(), mode)
            })
            .collect();
        let expected = [("top/README", 0o644), ("top/bin/program", 0o755)];
        assert_eq!(
            entries,
            expected.map(|(name, mode)| (name.to_owned(), mode))
        );
    }
}
