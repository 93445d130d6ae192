//! A host over `std::fs`, for tests: it performs every effect on files, and decides nothing.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use milepost::effect::{Access, Effect, Entry, Fault, Io, Kind, Links, Machine, Outcome, Sync};

/// The machine's own disk. Hosts of one test share nothing but the files, like processes.
#[derive(Debug)]
pub(crate) struct Disk {
    started: Instant,
    /// Every effect so far, in order.
    pub(crate) asked: Vec<Effect>,
}

impl Disk {
    /// A host that was asked for nothing yet.
    pub(crate) fn new() -> Self {
        Disk {
            started: Instant::now(),
            asked: Vec::new(),
        }
    }

    /// Runs an operation to its end.
    pub(crate) fn run<T, F>(&mut self, operation: impl FnOnce(Io) -> F) -> T
    where
        F: Future<Output = T> + 'static,
    {
        Machine::start(operation).run(|effect| self.perform(effect))
    }

    /// Performs one effect.
    pub(crate) fn perform(&mut self, effect: Effect) -> Outcome {
        self.asked.push(effect.clone());
        let outcome = match effect {
            Effect::Clock => Ok(self.clock()),
            Effect::Random { length } => Ok(Outcome::Bytes(random(length as usize))),
            Effect::Wait { ms } => {
                thread::sleep(Duration::from_millis(ms.into()));
                Ok(Outcome::Done)
            }
            Effect::Ascend { from, name } => ascend(&from, &name),
            Effect::Inspect { paths } => Ok(Outcome::Entries(
                paths.iter().map(|path| inspect(path)).collect(),
            )),
            Effect::Read { path, limit, links } => read(&path, limit, links),
            Effect::ReadStart { path, limit } => read_start(&path, limit),
            Effect::MakeFolder { path, access } => make_folder(&path, access).map(done),
            Effect::Create {
                path,
                bytes,
                sync,
                access,
            } => create(&path, &bytes, sync, access).map(done),
            Effect::Rename { from, to } => fs::rename(from, to).map(done).map_err(Failure::from),
            Effect::Link { from, to } => fs::hard_link(from, to).map(done).map_err(Failure::from),
            Effect::Remove { path } => fs::remove_file(path).map(done).map_err(Failure::from),
            Effect::RemoveFolder { path } => fs::remove_dir(path).map(done).map_err(Failure::from),
            Effect::Restrict { path } => restrict(&path).map(done),
            Effect::List { path, limit } => list(&path, limit),
            Effect::SyncFolder { path } => sync_folder(&path).map(done),
            Effect::Survey { folder, names } => Ok(survey(&folder, &names)),
            Effect::Git { folder, arguments } => git(&folder, &arguments),
            Effect::ReadRecord { .. }
            | Effect::SwapRecord(_)
            | Effect::ListRecords { .. }
            | Effect::Print { .. }
            | Effect::Input { .. } => Err(Failure {
                fault: Fault::Unsupported,
                detail: "this host has files, and no terminal".into(),
            }),
        };
        outcome.unwrap_or_else(|Failure { fault, detail }| Outcome::Failed { fault, detail })
    }

    fn clock(&self) -> Outcome {
        let wall = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Outcome::Clock {
            wall_ms: wall.as_secs_f64() * 1000.0,
            monotonic_ms: self.started.elapsed().as_secs_f64() * 1000.0,
        }
    }
}

struct Failure {
    fault: Fault,
    detail: String,
}

impl Failure {
    fn new(fault: Fault, detail: &str) -> Self {
        Failure {
            fault,
            detail: detail.into(),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let fault = match error.kind() {
            ErrorKind::NotFound => Fault::NotFound,
            ErrorKind::AlreadyExists => Fault::Exists,
            ErrorKind::IsADirectory | ErrorKind::NotADirectory => Fault::WrongKind,
            ErrorKind::Unsupported => Fault::Unsupported,
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Fault::NoSpace,
            ErrorKind::PermissionDenied => Fault::Denied,
            _ => Fault::Other,
        };
        Failure {
            fault,
            detail: error.to_string(),
        }
    }
}

fn done((): ()) -> Outcome {
    Outcome::Done
}

/// Each `RandomState` has new keys, drawn from the operating system's randomness.
fn random(length: usize) -> Vec<u8> {
    let blocks = std::iter::repeat_with(|| RandomState::new().hash_one(0).to_le_bytes());
    blocks.flatten().take(length).collect()
}

fn ascend(from: &str, name: &str) -> Result<Outcome, Failure> {
    let from = std::path::absolute(from)?;
    for folder in from.ancestors() {
        let Some(kind) = kind(&folder.join(name)) else {
            continue;
        };
        let below = from.strip_prefix(folder).unwrap_or(Path::new(""));
        let below: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        return Ok(Outcome::Found {
            folder: folder.to_string_lossy().into_owned(),
            below: below.join("/"),
            kind,
        });
    }
    Err(Failure::new(Fault::NotFound, "no folder above holds it"))
}

/// `None` when nothing is there.
fn kind(path: &Path) -> Option<Kind> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => Some(Kind::File),
        Ok(metadata) if metadata.is_dir() => Some(Kind::Folder),
        Ok(metadata) if metadata.is_symlink() => Some(Kind::Symlink),
        Err(error) if is_absent(&error) => None,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Some(Kind::Denied),
        Ok(_) | Err(_) => Some(Kind::Other),
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn inspect(path: &str) -> Entry {
    let kind = kind(Path::new(path)).unwrap_or(Kind::Absent);
    let metadata = match kind {
        Kind::File | Kind::Folder => fs::symlink_metadata(path).ok(),
        _ => None,
    };
    let size = match (kind, &metadata) {
        (Kind::File, Some(metadata)) => metadata.len(),
        _ => 0,
    };
    Entry {
        kind,
        size,
        mode: metadata.and_then(|metadata| mode(&metadata)),
    }
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> Option<u32> {
    Some(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o7777)
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> Option<u32> {
    None
}

#[cfg(unix)]
fn restrict(path: &str) -> Result<(), Failure> {
    match kind(Path::new(path)) {
        Some(Kind::Folder | Kind::File) => {}
        Some(Kind::Symlink) => return Err(Failure::new(Fault::Symlink, "a symbolic link")),
        _ => return Err(Failure::new(Fault::WrongKind, "no file or folder")),
    }
    let mode = mode(&fs::symlink_metadata(path)?).unwrap_or_default() & 0o700;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
    Ok(fs::set_permissions(path, mode)?)
}

#[cfg(not(unix))]
fn restrict(_: &str) -> Result<(), Failure> {
    Err(Failure::new(Fault::Unsupported, "no modes"))
}

fn read(path: &str, limit: u32, links: Links) -> Result<Outcome, Failure> {
    // Looked at before it is opened, because opening a pipe would wait for a writer.
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
    let too_large = || Failure::new(Fault::TooLarge, "larger than the limit");
    if metadata.len() > limit.into() {
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

fn read_start(path: &str, limit: u32) -> Result<Outcome, Failure> {
    if !fs::metadata(path)?.is_file() {
        return Err(Failure::new(Fault::WrongKind, "no regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(limit.into())
        .read_to_end(&mut bytes)?;
    Ok(Outcome::Bytes(bytes))
}

fn make_folder(path: &str, access: Access) -> Result<(), Failure> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    if access == Access::Owner {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    }
    Ok(builder.create(path)?)
}

fn create(path: &str, bytes: &[u8], sync: Sync, access: Access) -> Result<(), Failure> {
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

fn list(path: &str, limit: u32) -> Result<Outcome, Failure> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path)? {
        let Ok(entry) = entry else {
            return Ok(Outcome::Names {
                names,
                complete: false,
            });
        };
        if names.len() == limit as usize {
            return Ok(Outcome::Names {
                names,
                complete: false,
            });
        }
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    Ok(Outcome::Names {
        names,
        complete: true,
    })
}

#[cfg(unix)]
fn survey(folder: &str, names: &[String]) -> Outcome {
    use std::os::unix::fs::MetadataExt;
    let trace = |name: &String| match fs::symlink_metadata(Path::new(folder).join(name)) {
        Ok(found) if found.is_file() => {
            let ms = |seconds: i64, nanoseconds: i64| seconds * 1000 + nanoseconds / 1_000_000;
            let changed = ms(found.ctime(), found.ctime_nsec());
            let modified = ms(found.mtime(), found.mtime_nsec());
            let (size, number) = (found.size(), found.ino());
            format!("{} {modified} {size} {number}", changed.max(modified))
        }
        _ => String::new(),
    };
    Outcome::Names {
        names: names.iter().map(trace).collect(),
        complete: true,
    }
}

#[cfg(not(unix))]
fn survey(_: &str, _: &[String]) -> Outcome {
    Outcome::Failed {
        fault: Fault::Unsupported,
        detail: "nothing tells one state of a file from another".into(),
    }
}

fn sync_folder(path: &str) -> Result<(), Failure> {
    if cfg!(windows) {
        return Err(Failure::new(Fault::Unsupported, "folders cannot be synced"));
    }
    Ok(File::open(path)?.sync_all()?)
}

fn git(folder: &str, arguments: &[String]) -> Result<Outcome, Failure> {
    let mut command = Command::new("git");
    command
        .args([
            "--no-pager",
            "--no-optional-locks",
            "-c",
            "core.fsmonitor=false",
        ])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    // They would lead to another repository than the one in this folder.
    for name in [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_COMMON_DIR",
        "GIT_INDEX_FILE",
    ] {
        command.env_remove(name);
    }
    let output = command.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::new(Fault::Unsupported, "there is no git"),
        _ => Failure::from(error),
    })?;
    if !output.status.success() {
        return Err(Failure::new(
            Fault::Other,
            &format!("git: {}", output.status),
        ));
    }
    Ok(Outcome::Bytes(output.stdout))
}

#[cfg(test)]
mod tests {
    use super::Disk;
    use milepost::effect::{Access, Effect, Fault, Kind, Links, Outcome, Sync};

    fn fault(outcome: Outcome) -> Fault {
        match outcome {
            Outcome::Failed { fault, .. } => fault,
            other => panic!("expected a failure, got {other:?}"),
        }
    }

    #[test]
    fn a_file_is_created_once_linked_renamed_listed_read_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| format!("{}/{name}", folder.path().display());
        let mut disk = Disk::new();
        let mut ask = |effect| disk.perform(effect);

        let folder = Effect::MakeFolder {
            path: at("d"),
            access: Access::Owner,
        };
        assert_eq!(ask(folder.clone()), Outcome::Done);
        assert_eq!(fault(ask(folder)), Fault::Exists);
        let create = Effect::Create {
            path: at("d/a"),
            bytes: b"text".into(),
            sync: Sync::Durable,
            access: Access::Owner,
        };
        assert_eq!(ask(create.clone()), Outcome::Done);
        assert_eq!(fault(ask(create)), Fault::Exists);
        assert_eq!(
            ask(Effect::Link {
                from: at("d/a"),
                to: at("d/b")
            }),
            Outcome::Done
        );
        assert_eq!(
            fault(ask(Effect::Link {
                from: at("d/a"),
                to: at("d/b")
            })),
            Fault::Exists
        );
        assert_eq!(
            ask(Effect::Rename {
                from: at("d/a"),
                to: at("d/c")
            }),
            Outcome::Done
        );
        assert_eq!(ask(Effect::SyncFolder { path: at("d") }), Outcome::Done);
        let Outcome::Names {
            mut names,
            complete,
        } = ask(Effect::List {
            path: at("d"),
            limit: 2,
        })
        else {
            panic!("expected names");
        };
        names.sort();
        assert_eq!(
            (names, complete),
            (vec!["b".to_owned(), "c".to_owned()], true)
        );
        let Outcome::Names { complete, .. } = ask(Effect::List {
            path: at("d"),
            limit: 1,
        }) else {
            panic!("expected names");
        };
        assert!(!complete);
        let read = |limit| Effect::Read {
            path: at("d/c"),
            limit,
            links: Links::Refuse,
        };
        assert_eq!(ask(read(4)), Outcome::Bytes(b"text".into()));
        assert_eq!(fault(ask(read(3))), Fault::TooLarge);
        let start = |limit| Effect::ReadStart {
            path: at("d/c"),
            limit,
        };
        assert_eq!(ask(start(3)), Outcome::Bytes(b"tex".into()));
        assert_eq!(ask(start(9)), Outcome::Bytes(b"text".into()));
        assert_eq!(ask(Effect::Remove { path: at("d/c") }), Outcome::Done);
        assert_eq!(fault(ask(read(4))), Fault::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn links_folders_and_pipes_are_told_apart_and_never_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| format!("{}/{name}", folder.path().display());
        std::fs::write(at("file"), "text").unwrap();
        std::os::unix::fs::symlink("file", at("link")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(at("pipe"))
            .status()
            .unwrap();
        assert!(made.success());
        let mut disk = Disk::new();

        let paths = ["file", "link", "pipe", ".", "none", "file/none"]
            .map(at)
            .to_vec();
        let Outcome::Entries(entries) = disk.perform(Effect::Inspect { paths }) else {
            panic!("expected entries");
        };
        let kinds: Vec<_> = entries.iter().map(|entry| entry.kind).collect();
        let expected = [
            Kind::File,
            Kind::Symlink,
            Kind::Other,
            Kind::Folder,
            Kind::Absent,
            Kind::Absent,
        ];
        assert_eq!(kinds, expected);
        let mut read = |name, links| {
            disk.perform(Effect::Read {
                path: at(name),
                limit: 9,
                links,
            })
        };
        assert_eq!(read("link", Links::Follow), Outcome::Bytes(b"text".into()));
        assert_eq!(fault(read("link", Links::Refuse)), Fault::Symlink);
        assert_eq!(fault(read("pipe", Links::Follow)), Fault::WrongKind);
        assert_eq!(fault(read(".", Links::Follow)), Fault::WrongKind);
    }

    #[cfg(unix)]
    #[test]
    fn modes_are_shown_and_taken_from_everybody_but_the_owner() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| format!("{}/{name}", folder.path().display());
        std::fs::write(at("file"), "text").unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        symlink("file", at("link")).unwrap();
        for name in ["file", "folder"] {
            std::fs::set_permissions(at(name), PermissionsExt::from_mode(0o755)).unwrap();
        }
        let mut disk = Disk::new();
        let modes = |disk: &mut Disk| {
            let paths = ["file", "folder", "link"].map(at).to_vec();
            match disk.perform(Effect::Inspect { paths }) {
                Outcome::Entries(entries) => entries.iter().map(|it| it.mode).collect::<Vec<_>>(),
                other => panic!("expected entries, got {other:?}"),
            }
        };
        assert_eq!(modes(&mut disk), [Some(0o755), Some(0o755), None]);
        for name in ["file", "folder"] {
            assert_eq!(
                disk.perform(Effect::Restrict { path: at(name) }),
                Outcome::Done
            );
        }
        assert_eq!(
            fault(disk.perform(Effect::Restrict { path: at("link") })),
            Fault::Symlink
        );
        assert_eq!(modes(&mut disk), [Some(0o700), Some(0o700), None]);
    }

    #[test]
    fn a_folder_is_removed_only_when_it_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| format!("{}/{name}", folder.path().display());
        std::fs::create_dir(at("empty")).unwrap();
        std::fs::create_dir(at("full")).unwrap();
        std::fs::write(at("full/file"), "text").unwrap();
        let mut disk = Disk::new();
        let mut remove = |name| disk.perform(Effect::RemoveFolder { path: at(name) });
        assert_eq!(remove("empty"), Outcome::Done);
        assert_eq!(fault(remove("empty")), Fault::NotFound);
        assert_eq!(fault(remove("full")), Fault::Other);
        assert_eq!(fault(remove("full/file")), Fault::WrongKind);
    }
}
