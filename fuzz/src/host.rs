//! A host for whole operations: the scenarios' files in memory, a terminal that keeps what is printed,
//! and a list of every path that was asked for.

use milepost::effect::{Effect, Fault, Outcome, Stream};
use milepost_scenarios::scenario::Setting;
use milepost_scenarios::world::World;

/// The root of every world here.
pub(crate) const ROOT: &str = "/repo";

/// The folder of its documents.
pub(crate) const STATE: &str = "/repo/.claude/state";

/// The text printed on both streams.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Printed {
    pub(crate) output: String,
    pub(crate) error: String,
}

pub(crate) struct Host {
    world: World,
    /// The content of standard input.
    pub(crate) input: Vec<u8>,
    pub(crate) printed: Printed,
    /// Every path of an effect on files, in order.
    pub(crate) paths: Vec<String>,
}

impl Host {
    /// A world with these files, and what git prints in it.
    pub(crate) fn new(files: Vec<(String, Vec<u8>)>, git: Option<String>) -> Self {
        Host {
            world: World::new(Setting {
                now_ms: 1_800_000_000_000,
                step_ms: 1,
                seed: 1,
                files,
                folders: vec![ROOT.to_owned()],
                git,
                ..Setting::default()
            }),
            input: Vec::new(),
            printed: Printed::default(),
            paths: Vec::new(),
        }
    }

    pub(crate) fn perform(&mut self, effect: &Effect) -> Outcome {
        self.paths.extend(paths(effect).map(str::to_owned));
        match effect {
            Effect::Print { stream, text } => {
                let printed = match stream {
                    Stream::Output => &mut self.printed.output,
                    Stream::Error => &mut self.printed.error,
                };
                printed.push_str(text);
                Outcome::Done
            }
            Effect::Input { .. } => Outcome::Bytes(std::mem::take(&mut self.input)),
            other => self.world.perform(other),
        }
    }
}

/// The paths that an effect names.
fn paths(effect: &Effect) -> impl Iterator<Item = &str> {
    let (one, other, more): (Option<&String>, Option<&String>, &[String]) = match effect {
        Effect::Clock
        | Effect::Random { .. }
        | Effect::Wait { .. }
        | Effect::Print { .. }
        | Effect::Input { .. }
        | Effect::CountTokens { .. } => (None, None, &[]),
        Effect::Ascend { from: path, .. }
        | Effect::Read { path, .. }
        | Effect::ReadStart { path, .. }
        | Effect::Part { path, .. }
        | Effect::ReadLink { path }
        | Effect::MakeFolder { path, .. }
        | Effect::Create { path, .. }
        | Effect::Append { path, .. }
        | Effect::Symlink { path, .. }
        | Effect::SetMode { path, .. }
        | Effect::Remove { path }
        | Effect::RemoveFolder { path }
        | Effect::Restrict { path }
        | Effect::List { path, .. }
        | Effect::SyncFolder { path }
        | Effect::Survey { folder: path, .. }
        | Effect::Scan { folder: path, .. }
        | Effect::ReadRecord { record: path }
        | Effect::ListRecords { under: path, .. }
        | Effect::Git { folder: path, .. } => (Some(path), None, &[]),
        Effect::Rename { from, to } | Effect::Link { from, to } => (Some(from), Some(to), &[]),
        Effect::SwapRecord(swap) => (Some(&swap.record), None, &[]),
        Effect::Inspect { paths } => (None, None, paths),
    };
    let side_writes = match effect {
        Effect::SwapRecord(swap) => swap.side_writes.as_slice(),
        _ => &[],
    };
    let paths = one.into_iter().chain(other).chain(more);
    let paths = paths.chain(side_writes.iter().map(|it| &it.record));
    paths.map(String::as_str)
}

/// A failure in the host's own words.
pub(crate) fn failed(fault: Fault, detail: String) -> Outcome {
    Outcome::Failed { fault, detail }
}
