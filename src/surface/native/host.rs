//! Performs one effect, decides nothing.

use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::effect::{Effect, Failed, Fault, Links, Outcome};
use crate::surface::vocabulary::{CallVocabulary, VocabularyFiles};

use super::fault::Result;
use super::{entry, files, process, system};

/// The operating system, as the host of one process.
pub struct NativeHost {
    working: String,
    vocabulary: CallVocabulary,
    began: Instant,
}

impl NativeHost {
    /// The host of a process that works in this folder, and counts exact tokens by the vocabulary in a file.
    pub fn new(working: String, vocabulary: Option<String>) -> Self {
        NativeHost {
            working,
            vocabulary: CallVocabulary::new(vocabulary),
            began: Instant::now(),
        }
    }

    /// Performs an effect. A failure is an outcome.
    pub fn perform(&self, effect: Effect) -> Outcome {
        self.dispatch(effect)
            .unwrap_or_else(|failed| Outcome::Failed {
                fault: failed.fault,
                detail: failed.detail,
            })
    }

    fn dispatch(&self, effect: Effect) -> Result<Outcome> {
        match effect {
            Effect::Clock => Ok(self.clock()),
            Effect::Random { length } => system::random(length),
            Effect::Wait { ms } => {
                thread::sleep(Duration::from_millis(ms.into()));
                Ok(Outcome::Done)
            }
            Effect::Ascend { from, name } => system::ascend(&from, &name),
            Effect::Inspect { paths } => Ok(entry::inspect(&paths)),
            Effect::Read { path, limit, links } => files::read(&path, limit, links),
            Effect::ReadStart { path, limit } => files::part(&path, 0, limit, Links::Follow),
            Effect::Part {
                path,
                offset,
                length,
                links,
            } => files::part(&path, offset, length, links),
            Effect::ReadLink { path } => system::read_link(&path),
            Effect::MakeFolder { path, access } => system::make_folder(&path, access),
            Effect::Create {
                path,
                bytes,
                sync,
                access,
            } => files::create(&path, &bytes, sync, access),
            Effect::Append { path, bytes, sync } => files::append(&path, &bytes, sync),
            Effect::Symlink { path, target } => system::symlink(&path, &target),
            Effect::Rename { from, to } => system::rename(&from, &to),
            Effect::Link { from, to } => system::link(&from, &to),
            Effect::Remove { path } => system::remove(&path),
            Effect::RemoveFolder { path } => system::remove_folder(&path),
            Effect::Restrict { path } => system::restrict(&path),
            Effect::SetMode {
                path,
                is_executable,
                permissions,
            } => system::set_mode(&path, is_executable, permissions),
            Effect::List { path, limit } => entry::list(&path, limit),
            Effect::SyncFolder { path } => system::sync_folder(&path),
            Effect::Survey { folder, names } => entry::survey(&folder, &names),
            Effect::Scan { folder, limit } => entry::scan(&folder, limit),
            Effect::ReadRecord { .. } | Effect::SwapRecord(_) | Effect::ListRecords { .. } => {
                Err(Failed {
                    effect: "",
                    fault: Fault::Unsupported,
                    detail: "this host has files, and no records".to_owned(),
                })
            }
            Effect::Git { folder, arguments } => process::git(&folder, &arguments),
            Effect::Print { stream, text } => system::print(stream, text.as_bytes()),
            Effect::Input { limit, until } => system::standard_input(limit, until),
            Effect::CountTokens {
                encoding,
                text,
                limit,
            } => Ok(self.vocabulary.count(self, encoding, &text, limit)),
        }
    }

    /// Of the wall whole milliseconds, as other hosts have them.
    fn clock(&self) -> Outcome {
        // A machine that believes to be before 1970 is wrong by more than a moment.
        let wall = SystemTime::now().duration_since(UNIX_EPOCH);
        Outcome::Clock {
            wall_ms: wall.unwrap_or_default().as_millis() as f64,
            monotonic_ms: self.began.elapsed().as_secs_f64() * 1e3,
        }
    }
}

impl VocabularyFiles for NativeHost {
    fn working(&self) -> String {
        self.working.clone()
    }

    fn read(&self, path: &str, limit: u32) -> Result<Outcome> {
        files::read(path, limit, Links::Follow)
    }
}
