//! The positions of writers: each is reached by the outcomes that a writer has had so far.
//!
//! Ways that lead to the same place are joined. A writer remembers nothing of an earlier try; and
//! within one, nothing but the document that it starts from, the listing that it acts on, what came
//! of reading again, and what it asks for next. A test explores with and without that, and comes to the same disks.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use milepost::effect::{Effect, Fault, MachineStep, Outcome, PathEntry, PathKind};

use crate::job::DOCUMENT;
use crate::writer;
use milepost_disk::failed;

/// A place in the tree, or that of a writer who is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Settings(u32);

impl Settings {
    pub(super) const NONE: Settings = Settings(u32::MAX);
}

pub(super) struct Tree {
    tries: usize,
    joins: bool,
    shows_left: bool,
    nodes: Vec<Node>,
    known: HashMap<Memory, Settings>,
}

/// All that decides what a writer does from here on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Memory {
    writer: usize,
    tries: usize,
    /// The document of the first read, and what is to follow it.
    base: u64,
    /// The listing that is acted on.
    listing: u64,
    /// The files that others prepare or left, as listings showed them: they go after the commit.
    left: u64,
    /// Every outcome from the second read on.
    again: u64,
    /// The effect that is asked for.
    effect: Option<u64>,
}

struct Node {
    /// The place before, and the outcome that led from there.
    before: Option<(Settings, Outcome)>,
    /// The effect that is asked for; `None` where the writer has come to its end.
    effect: Option<Rc<Effect>>,
    after: HashMap<u64, Settings>,
}

impl Tree {
    pub(super) fn new(tries: usize, joins: bool, shows_left: bool) -> Self {
        Tree {
            tries,
            joins,
            shows_left,
            nodes: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// Returns the position in which a writer begins.
    pub(super) fn root(&mut self, writer: usize) -> Result<Settings, String> {
        self.add(writer, None)
    }

    /// The effect that a writer asks for at a place; `None` where it is dead or has come to its end.
    pub(super) fn effect(&self, place: Settings) -> Option<Rc<Effect>> {
        self.nodes.get(place.0 as usize)?.effect.clone()
    }

    /// Returns whether what a writer asks for at a place concerns a name that no other looks at.
    pub(super) fn is_unseen(&self, place: Settings) -> bool {
        if self.shows_left {
            return false;
        }
        self.effect(place).is_some_and(|effect| match &*effect {
            Effect::Create { path, .. } | Effect::Read { path, .. } | Effect::Remove { path } => {
                path.ends_with(".new") || path.ends_with(".tmp")
            }
            _ => false,
        })
    }

    /// Returns the position that an outcome leads a writer to.
    ///
    /// # Errors
    ///
    /// That it ended as it must not.
    pub(super) fn after(
        &mut self,
        writer: usize,
        place: Settings,
        outcome: Outcome,
    ) -> Result<Settings, String> {
        let mark = mark(&outcome);
        if let Some(known) = self.nodes[place.0 as usize].after.get(&mark) {
            return Ok(*known);
        }
        let next = self.add(writer, Some((place, outcome)))?;
        self.nodes[place.0 as usize].after.insert(mark, next);
        Ok(next)
    }

    fn add(
        &mut self,
        writer: usize,
        before: Option<(Settings, Outcome)>,
    ) -> Result<Settings, String> {
        let (effect, memory) = self.replay(writer, before.as_ref())?;
        if let Some(known) = self.known.get(&memory).filter(|_| self.joins) {
            return Ok(*known);
        }
        let place = Settings(self.nodes.len() as u32);
        self.known.insert(memory, place);
        self.nodes.push(Node {
            before,
            effect: effect.map(Rc::new),
            after: HashMap::new(),
        });
        Ok(place)
    }

    /// Runs the writer again with the outcomes that it has had, and returns what it asks for then.
    fn replay(
        &self,
        writer: usize,
        last: Option<&(Settings, Outcome)>,
    ) -> Result<(Option<Effect>, Memory), String> {
        let mut outcomes = Vec::new();
        let mut step = last;
        while let Some((place, outcome)) = step {
            outcomes.push(outcome);
            step = self.nodes[place.0 as usize].before.as_ref();
        }
        let mut machine = writer::adding(writer);
        let mut memory = Memory {
            writer,
            ..Memory::default()
        };
        let mut commits = 0;
        loop {
            let effect = match machine.step().map_err(|misuse| format!("{misuse:?}"))? {
                MachineStep::Effect(effect) => effect,
                MachineStep::Done(Ok(_)) if commits == 1 => return Ok((None, Memory::default())),
                MachineStep::Done(Ok(_)) => {
                    return Err(format!(
                        "writer {writer} is acknowledged after {commits} commits"
                    ));
                }
                MachineStep::Done(Err(error)) => {
                    return Err(format!("writer {writer} failed: {error}"));
                }
            };
            if matches!(effect, Effect::Random { .. }) {
                let tries = memory.tries + 1;
                memory = Memory {
                    writer,
                    tries,
                    ..Memory::default()
                };
                if tries > self.tries {
                    return Ok((None, Memory::default()));
                }
            }
            let outcome = match alone(writer, memory.tries, &effect) {
                Some(outcome) => outcome,
                None => match outcomes.pop() {
                    Some(outcome) => outcome.clone(),
                    None => {
                        memory.effect = Some(digest(&format!("{effect:?}")));
                        return Ok((Some(effect), memory));
                    }
                },
            };
            match &effect {
                Effect::List { .. } => {
                    memory.listing = mark(&outcome);
                    if let Outcome::Names { names, .. } = &outcome
                        && self.shows_left
                    {
                        let left = names.iter().filter(|name| is_left(name));
                        memory.left = digest(&(memory.left, left.collect::<Vec<_>>()));
                    }
                }
                Effect::Read { path, .. } if path == DOCUMENT && memory.again == 0 => {
                    memory.base = mark(&outcome);
                    memory.listing = 0;
                }
                Effect::Create { path, .. } if path.ends_with(".new") => {
                    memory.base = digest(&(memory.base, format!("{effect:?}")));
                }
                Effect::Rename { to, .. } if to == DOCUMENT => {
                    commits += usize::from(outcome == Outcome::Done);
                }
                _ => {}
            }
            if memory.again != 0 || matches!(effect, Effect::Link { .. }) {
                // The listing showed no other token.
                memory.listing = 0;
                memory.again = digest(&(memory.again, mark(&outcome)));
            }
            machine
                .resume(outcome)
                .map_err(|misuse| format!("{misuse:?}"))?;
        }
    }
}

/// The answer to an effect that neither shows nor changes what others see.
fn alone(writer: usize, tries: usize, effect: &Effect) -> Option<Outcome> {
    Some(match effect {
        // No writer waits long enough to give up.
        Effect::Clock => Outcome::Clock {
            wall_ms: 0.0,
            monotonic_ms: 0.0,
        },
        Effect::Random { length } => {
            let mut bytes = vec![0; *length as usize];
            bytes[0] = first_byte(writer);
            bytes[1] = tries as u8;
            Outcome::Bytes(bytes)
        }
        Effect::Wait { .. } | Effect::SyncFolder { .. } => Outcome::Done,
        // The folders are all there and nothing is of the wrong kind, which is all that is asked.
        Effect::Inspect { paths } => {
            Outcome::Entries(paths.iter().map(|path| look(path)).collect())
        }
        Effect::Create { path, .. } if path.ends_with("/lock") => failed(Fault::Other),
        Effect::Remove { path } if path.ends_with("/lock") => failed(Fault::NotFound),
        _ => return None,
    })
}

/// The first byte of the names of a writer's tokens.
pub(super) fn first_byte(writer: usize) -> u8 {
    writer as u8 + 1
}

fn look(path: &str) -> PathEntry {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_token = name.len() == 32;
    let kind = match name {
        "waiting" | "lock" => PathKind::Absent,
        name if is_token || name.ends_with(".json") => PathKind::File,
        _ => PathKind::Folder,
    };
    PathEntry {
        kind,
        size: 0,
        mode: None,
    }
}

/// Returns whether a name is that of what a writer prepares, or died with.
pub(super) fn is_left(name: &str) -> bool {
    name.ends_with(".new") || name.ends_with(".tmp")
}

fn digest(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

fn mark(outcome: &Outcome) -> u64 {
    match outcome {
        Outcome::Bytes(bytes) => digest(&(0, bytes)),
        Outcome::Names { names, complete } => digest(&(1, names, complete)),
        outcome => digest(&(2, format!("{outcome:?}"))),
    }
}
