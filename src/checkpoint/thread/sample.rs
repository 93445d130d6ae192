//! A thread and its parts for tests, as a store would hold them.

use std::collections::BTreeMap;

use super::change::{Addition, NextThread, Put, ThreadChange, ThreadOutcome, change};
use super::index::{PartRef, Thread, parts};
use super::line;
use super::log::{LoadedParts, Log, ThreadStop};
use super::name::stem;
use super::retain::{KeptCheckpoints, Retained, copy, retain};
use super::seal::{Sealed, Writing};
use super::value::Typed;
use super::writes::ChannelWrite;
use crate::error::Code;

pub(super) const NAME: &str = "a thread: ../?";

/// A rule that changes a thread: of what is read, for a token, written in one of two ways.
pub(super) type Rule<'a> =
    dyn FnMut(&Thread, &LoadedParts, &str, Writing) -> Result<ThreadOutcome, ThreadStop> + 'a;

/// The parts that a store would hold, with those that are read in one go.
#[derive(Default)]
pub(super) struct World {
    pub(super) thread: Option<Thread>,
    pub(super) parts: BTreeMap<(String, String), Vec<u8>>,
    tokens: u64,
    /// Changes that were lines.
    pub(super) lines: usize,
    /// Bytes that were ever written into parts.
    pub(super) written: usize,
    /// The most parts that one call needed.
    pub(super) most_needed: usize,
}

impl World {
    pub(super) fn needed<T>(
        &mut self,
        mut rule: impl FnMut(&Thread, &LoadedParts) -> Result<T, ThreadStop>,
    ) -> Result<T, Code> {
        let thread = self
            .thread
            .clone()
            .unwrap_or_else(|| Thread::new(NAME, &"5f".repeat(16)));
        let mut loaded = LoadedParts::default();
        for needed in 0.. {
            self.most_needed = self.most_needed.max(needed);
            match rule(&thread, &loaded) {
                Ok(value) => return Ok(value),
                Err(ThreadStop::Failed(error)) => return Err(error.code()),
                Err(ThreadStop::Needs(parts)) => {
                    for part in parts {
                        let bytes = &self.parts[&(part.key.clone(), part.token.clone())];
                        loaded.add(&part, bytes, "part").unwrap();
                    }
                }
            }
        }
        unreachable!()
    }

    fn change(&mut self, changes: &[ThreadChange]) -> Vec<Result<bool, Code>> {
        self.apply(&mut |thread, loaded, token, writing| {
            change(thread, loaded, changes, token, writing)
        })
    }

    /// Keeps some of the checkpoints.
    pub(super) fn retain(&mut self, keep: &KeptCheckpoints) -> Retained {
        let mut retained = Retained::default();
        let results = self.apply(&mut |thread, loaded, token, _| {
            let found = retain(
                Log::new(thread, loaded),
                keep,
                token,
                "2026-11-27T21:00:00.000Z",
            );
            let (outcome, counts) = found?;
            retained = counts;
            Ok(outcome)
        });
        assert_eq!(results, [Ok(retained.removed > 0)]);
        retained
    }

    fn apply(&mut self, rule: &mut Rule<'_>) -> Vec<Result<bool, Code>> {
        self.try_apply(rule).unwrap()
    }

    /// Makes a change by a rule, which may fail as a whole.
    pub(super) fn try_apply(
        &mut self,
        rule: &mut Rule<'_>,
    ) -> Result<Vec<Result<bool, Code>>, Code> {
        self.tokens += 1;
        let token = format!("{:032x}", self.tokens);
        // As in a store with a journal, which may be closed.
        let writing = match self.tokens % 3 {
            0 => Writing::Documents,
            _ => Writing::Lines,
        };
        let outcome = self.needed(|thread, loaded| rule(thread, loaded, &token, writing))?;
        let results = outcome.results.into_iter();
        let results = results.map(|it| it.map_err(|error| error.code())).collect();
        let Some(NextThread {
            thread,
            sealed,
            line,
        }) = outcome.next
        else {
            return Ok(results);
        };
        if let Some(line) = line {
            // Adding this line to a journal yields the thread that writing all of it yields.
            let before = self.thread.clone();
            let before = before.unwrap_or_else(|| Thread::new(NAME, &"5f".repeat(16)));
            assert_eq!(line::after(before, &[line]).unwrap(), *thread);
            self.lines += 1;
        }
        for Sealed { key, bytes } in sealed {
            self.written += bytes.len();
            self.parts.insert((key, token.clone()), bytes);
        }
        let object = thread.into_object();
        let named = parts(&object);
        self.parts.retain(|(key, token), _| {
            let part = PartRef {
                key: key.clone(),
                token: token.clone(),
            };
            named.contains(&part)
        });
        assert_eq!(
            self.parts.len(),
            named.len(),
            "a part is named and not there"
        );
        self.thread = Some(Thread::read(object, &stem(NAME)).unwrap());
        Ok(results)
    }

    pub(super) fn put(&mut self, request: &Put) -> Result<bool, Code> {
        self.change(&[ThreadChange::Put(Box::new(request.clone()))])
            .remove(0)
    }

    pub(super) fn add(&mut self, key: (&str, &str), writes: &[ChannelWrite]) {
        assert!(self.try_add(key, writes).is_ok());
    }

    pub(super) fn try_add(
        &mut self,
        (namespace, id): (&str, &str),
        writes: &[ChannelWrite],
    ) -> Result<bool, Code> {
        let change = ThreadChange::Add(Addition {
            namespace: namespace.to_owned(),
            id: id.to_owned(),
            writes: writes.to_vec(),
        });
        self.change(&[change]).remove(0)
    }

    /// Another world with the copy of the thread, with other texts where there are some, and the number of its
    /// checkpoints.
    pub(super) fn copied(&mut self, target: &Thread, texts: Option<&[Typed]>) -> (World, usize) {
        let token = "7b".repeat(16);
        let (outcome, count) = self
            .needed(|thread, loaded| copy(Log::new(thread, loaded), target, &token, texts))
            .unwrap();
        let next = outcome.next.unwrap();
        let parts = next.sealed.into_iter();
        let world = World {
            thread: Some(*next.thread),
            parts: parts
                .map(|it| ((it.key, token.clone()), it.bytes))
                .collect(),
            ..World::default()
        };
        (world, count)
    }

    /// Puts a tombstone in the place of the thread.
    pub(super) fn delete(&mut self) {
        self.tokens += 1;
        let token = format!("{:032x}", self.tokens);
        if let Some(thread) = &self.thread {
            let object = thread
                .tombstone(&token, "2026-11-27T21:00:00.000Z")
                .into_object();
            self.thread = Some(Thread::read(object, &stem(NAME)).unwrap());
            self.parts.clear();
        }
    }

    /// Returns whether readers find no thread.
    pub(super) fn is_deleted(&self) -> bool {
        self.thread.as_ref().is_none_or(Thread::is_deleted)
    }

    pub(super) fn bytes(&self) -> usize {
        self.parts.values().map(Vec::len).sum()
    }
}

pub(super) fn typed(text: &str) -> Typed {
    Typed {
        kind: "json".to_owned(),
        encoding: None,
        text: text.into(),
    }
}
