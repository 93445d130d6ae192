//! A host over `std::fs`, for tests: it performs every effect on files, and decides nothing.

mod files;
mod nodes;
#[cfg(all(test, unix))]
mod parts_tests;
#[cfg(test)]
mod tests;

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use milepost::effect::{
    Effect, Fault, GIT_ELSEWHERE, GIT_OPTIONS, GIT_VARIABLES, Io, Machine, Outcome,
};

/// The machine's own disk. Hosts of one test share nothing but the files, like processes.
#[derive(Debug)]
pub(crate) struct Disk {
    started: Instant,
    /// Every effect so far, in order.
    pub(crate) asked: Vec<Effect>,
    /// The file of the user's own configuration of git; without one nothing is configured.
    user: Option<PathBuf>,
}

impl Disk {
    /// A host that was asked for nothing yet.
    pub(crate) fn new() -> Self {
        Disk {
            started: Instant::now(),
            asked: Vec::new(),
            user: None,
        }
    }

    /// The host of a user whose own configuration of git is this file.
    pub(crate) fn of_user(configuration: &Path) -> Self {
        Disk {
            user: Some(configuration.to_owned()),
            ..Disk::new()
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
            Effect::Ascend { from, name } => nodes::ascend(&from, &name),
            Effect::Inspect { paths } => Ok(Outcome::Entries(
                paths.iter().map(|path| nodes::inspect(path)).collect(),
            )),
            Effect::Read { path, limit, links } => files::read(&path, limit, links),
            Effect::ReadStart { path, limit } => files::read_start(&path, limit),
            Effect::Part {
                path,
                offset,
                length,
                links,
            } => files::part(&path, offset, length, links),
            Effect::ReadLink { path } => files::read_link(&path),
            Effect::MakeFolder { path, access } => files::make_folder(&path, access).map(done),
            Effect::Create {
                path,
                bytes,
                sync,
                access,
            } => files::create(&path, &bytes, sync, access).map(done),
            Effect::Append { path, bytes, sync } => files::append(&path, &bytes, sync).map(done),
            Effect::Symlink { path, target } => files::symlink(&path, &target).map(done),
            Effect::Rename { from, to } => fs::rename(from, to).map(done).map_err(Failure::from),
            Effect::Link { from, to } => fs::hard_link(from, to).map(done).map_err(Failure::from),
            Effect::Remove { path } => fs::remove_file(path).map(done).map_err(Failure::from),
            Effect::RemoveFolder { path } => fs::remove_dir(path).map(done).map_err(Failure::from),
            Effect::Restrict { path } => files::restrict(&path).map(done),
            Effect::SetMode {
                path,
                is_executable,
                permissions,
            } => files::set_mode(&path, is_executable, permissions).map(done),
            Effect::List { path, limit } => nodes::list(&path, limit),
            Effect::SyncFolder { path } => files::sync_folder(&path).map(done),
            Effect::Survey { folder, names } => Ok(nodes::survey(&folder, &names)),
            Effect::Scan { folder, limit } => nodes::scan(&folder, limit),
            Effect::Git { folder, arguments } => git(&folder, &arguments, self.user.as_deref()),
            Effect::ReadRecord { .. }
            | Effect::SwapRecord(_)
            | Effect::ListRecords { .. }
            | Effect::Print { .. }
            | Effect::Input { .. }
            | Effect::CountTokens { .. } => Err(Failure {
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

fn git(folder: &str, arguments: &[String], user: Option<&Path>) -> Result<Outcome, Failure> {
    let mut command = crate::git::unconfigured(Path::new(folder));
    if let Some(user) = user {
        command.env("GIT_CONFIG_GLOBAL", user);
    }
    for name in GIT_ELSEWHERE {
        command.env_remove(name);
    }
    command
        .envs(GIT_VARIABLES)
        .args(GIT_OPTIONS)
        .args(arguments)
        .stdin(Stdio::null());
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
