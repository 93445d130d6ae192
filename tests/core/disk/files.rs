//! Files, folders and links: read, made, changed.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use milepost::effect::{Access, Fault, Links, Outcome, PathKind, Sync};

use super::Failure;
use super::nodes::{kind, mode};

#[cfg(unix)]
pub(super) fn restrict(path: &str) -> Result<(), Failure> {
    match kind(Path::new(path)) {
        Some(PathKind::Folder | PathKind::File) => {}
        Some(PathKind::Symlink) => return Err(Failure::new(Fault::Symlink, "a symbolic link")),
        _ => return Err(Failure::new(Fault::WrongKind, "no file or folder")),
    }
    let mode = mode(&fs::symlink_metadata(path)?).unwrap_or_default() & 0o700;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
    Ok(fs::set_permissions(path, mode)?)
}

#[cfg(not(unix))]
pub(super) fn restrict(_: &str) -> Result<(), Failure> {
    Err(Failure::new(Fault::Unsupported, "no modes"))
}

pub(super) fn read(path: &str, limit: u32, links: Links) -> Result<Outcome, Failure> {
    let too_large = || Failure::new(Fault::TooLarge, "larger than the limit");
    if regular(path, links)?.len() > limit.into() {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // One byte more than allowed shows that the file has grown since.
    File::open(path)?
        .take(u64::from(limit) + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() > limit as usize {
        return Err(too_large());
    }
    Ok(Outcome::Bytes(bytes))
}

/// A regular file is looked at before it is opened, because opening a pipe would wait for a writer.
pub(super) fn regular(path: &str, links: Links) -> Result<fs::Metadata, Failure> {
    let metadata = match links {
        Links::Follow => fs::metadata(path)?,
        Links::Refuse => fs::symlink_metadata(path)?,
    };
    if metadata.is_symlink() {
        return Err(Failure::new(Fault::Symlink, "a symbolic link"));
    }
    if !metadata.is_file() {
        return Err(Failure::new(Fault::WrongKind, "no regular file"));
    }
    Ok(metadata)
}

pub(super) fn read_start(path: &str, limit: u32) -> Result<Outcome, Failure> {
    part(path, 0, limit, Links::Follow)
}

pub(super) fn part(path: &str, offset: u64, length: u32, links: Links) -> Result<Outcome, Failure> {
    regular(path, links)?;
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(length.into()).read_to_end(&mut bytes)?;
    Ok(Outcome::Bytes(bytes))
}

pub(super) fn read_link(path: &str) -> Result<Outcome, Failure> {
    let target = fs::read_link(path).map_err(|error| match error.kind() {
        // readlink(2): EINVAL where no link stands.
        ErrorKind::InvalidInput => Failure::new(Fault::WrongKind, "no symbolic link"),
        _ => Failure::from(error),
    })?;
    Ok(Outcome::Bytes(target.into_os_string().into_encoded_bytes()))
}

pub(super) fn make_folder(path: &str, access: Access) -> Result<(), Failure> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    if access == Access::Owner {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    }
    Ok(builder.create(path)?)
}

pub(super) fn create(path: &str, bytes: &[u8], sync: Sync, access: Access) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if access == Access::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    if sync == Sync::Durable {
        file.sync_all()?;
    }
    Ok(())
}

pub(super) fn append(path: &str, bytes: &[u8], sync: Sync) -> Result<(), Failure> {
    regular(path, Links::Refuse)?;
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(bytes)?;
    if sync == Sync::Durable {
        file.sync_all()?;
    }
    Ok(())
}

#[cfg(unix)]
pub(super) fn symlink(path: &str, target: &[u8]) -> Result<(), Failure> {
    use std::os::unix::ffi::OsStrExt;

    let target = std::ffi::OsStr::from_bytes(target);
    Ok(std::os::unix::fs::symlink(target, path)?)
}

#[cfg(not(unix))]
pub(super) fn symlink(_: &str, _: &[u8]) -> Result<(), Failure> {
    Err(Failure::new(Fault::Unsupported, "no right to make links"))
}

#[cfg(unix)]
pub(super) fn set_mode(
    path: &str,
    is_executable: bool,
    permissions: Option<u32>,
) -> Result<(), Failure> {
    let found = match permissions {
        Some(_) if fs::symlink_metadata(path)?.is_dir() => fs::symlink_metadata(path)?,
        _ => regular(path, Links::Refuse)?,
    };
    let mode = mode(&found).unwrap_or_default();
    let mode = match (permissions, is_executable) {
        (Some(bits), _) => (mode & !0o777) | bits,
        (None, true) => mode | (mode & 0o444) >> 2,
        (None, false) => mode & !0o111,
    };
    let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
    Ok(fs::set_permissions(path, mode)?)
}

#[cfg(not(unix))]
pub(super) fn set_mode(_: &str, _: bool, _: Option<u32>) -> Result<(), Failure> {
    Err(Failure::new(Fault::Unsupported, "no modes"))
}

pub(super) fn sync_folder(path: &str) -> Result<(), Failure> {
    if cfg!(windows) {
        return Err(Failure::new(Fault::Unsupported, "folders cannot be synced"));
    }
    Ok(File::open(path)?.sync_all()?)
}
