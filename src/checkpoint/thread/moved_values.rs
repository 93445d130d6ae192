//! The values of entries that are left of a thread, on their way from where they were stored.

use super::entry::{ThreadCheckpoint, ThreadEntry};
use super::log::{Log, ThreadStop};
use super::value::{Fit, LoggedValue, Ref, ValueBase, store, store_beside};
use super::writes::ChannelWrite;

/// So many entries are searched for a value that a moved one may go on from.
const NEAR: usize = 8;

/// The values that a checkpoint has, by their places.
pub(super) fn channels(entry: &ThreadEntry) -> &[(String, Ref)] {
    let checkpoint = entry.checkpoint.as_ref();
    checkpoint.map_or(&[][..], |it| &it.channels)
}

/// Values on their way to the entries that are left.
pub(super) struct MovedValues<'a> {
    log: Log<'a>,
    all: &'a [&'a ThreadEntry],
    /// Of each entry, the new places of the values that it stored.
    places: Vec<Vec<(&'a str, Ref)>>,
    /// The latest entries that are left so far, with the values that they have now.
    left: Vec<(usize, Vec<(String, Ref)>)>,
}

impl<'a> MovedValues<'a> {
    pub(super) fn new(log: Log<'a>, all: &'a [&'a ThreadEntry]) -> Self {
        MovedValues {
            log,
            all,
            places: all.iter().map(|_| Vec::new()).collect(),
            left: Vec::new(),
        }
    }

    /// The entry with this checkpoint and the values of these channels.
    pub(super) fn entry(
        &mut self,
        at: usize,
        mut checkpoint: ThreadCheckpoint,
        channels: Vec<&'a (String, Ref)>,
        writes: Vec<ChannelWrite>,
    ) -> Result<ThreadEntry, ThreadStop> {
        let entry = self.all[at];
        for (channel, old) in channels {
            let reference = match self.place(channel, old.at) {
                Some(reference) => reference,
                None => {
                    let (reference, value) = self.value(at, channel, old)?;
                    checkpoint.values.push((channel.clone(), value));
                    if let Some(place) = self.position(old.at) {
                        self.places[place].push((channel, reference.clone()));
                    }
                    reference
                }
            };
            checkpoint.channels.push((channel.clone(), reference));
        }
        self.left.push((at, checkpoint.channels.clone()));
        if self.left.len() > NEAR {
            self.left.remove(0);
        }
        Ok(ThreadEntry {
            number: entry.number,
            namespace: entry.namespace.clone(),
            id: entry.id.clone(),
            checkpoint: Some(checkpoint),
            writes,
        })
    }

    fn position(&self, number: u64) -> Option<usize> {
        let found = self.all.binary_search_by_key(&number, |it| it.number);
        found.ok()
    }

    /// The new place of a value that an entry stored.
    fn place(&self, channel: &str, number: u64) -> Option<Ref> {
        let places = &self.places[self.position(number)?];
        let found = places.iter().find(|(name, _)| *name == channel);
        found.map(|(_, it)| it.clone())
    }

    /// A value that is to be stored with an entry, and its place there.
    fn value(&self, at: usize, channel: &str, old: &Ref) -> Result<(Ref, LoggedValue), ThreadStop> {
        let entry = self.all[at];
        let own = entry.value(channel).filter(|_| old.at == entry.number);
        match own {
            Some(value @ LoggedValue { base: None, .. }) => {
                return Ok((old.clone(), value.clone()));
            }
            Some(LoggedValue {
                typed,
                base: Some(base),
            }) => {
                // An equal text is there, under this number or another one.
                if let Some(place) = self.place(channel, base.at) {
                    let base = ValueBase {
                        at: place.at,
                        ..base.clone()
                    };
                    let typed = typed.clone();
                    let base = Some(base);
                    return Ok((old.clone(), LoggedValue { typed, base }));
                }
            }
            None => {}
        }
        let typed = self.log.value(channel, old)?;
        let near = self.near(entry, channel);
        let before = near.as_ref().map(|(_, new)| new);
        let salt = self.log.thread.salt()?;
        let fit = match (store(entry.number, typed, before, salt), &near) {
            (Fit::Unknown(typed, reference), Some((old, new))) => {
                let other = self.log.value(channel, old)?;
                store_beside(typed, reference, new, &other)
            }
            (fit, _) => fit,
        };
        Ok(match fit {
            Fit::Stored(value, reference) => (reference, value),
            Fit::Unknown(typed, reference) => (reference, LoggedValue { typed, base: None }),
        })
    }

    /// The former and the new place of the channel's value in an entry that is left, near this one.
    fn near(&self, entry: &ThreadEntry, channel: &str) -> Option<(Ref, Ref)> {
        let left = self.left.iter().rev();
        let mut left = left.filter(|(at, _)| self.all[*at].namespace == entry.namespace);
        left.find_map(|(at, now)| {
            let mut now = now.iter().filter(|(name, _)| name == channel);
            let (_, new) = now.next()?;
            let mut before = channels(self.all[*at]).iter();
            let (_, old) = before.find(|(name, _)| name == channel)?;
            Some((old.clone(), new.clone()))
        })
    }
}
