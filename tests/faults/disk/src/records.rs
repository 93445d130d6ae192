//! Records that are swapped in one step, as a database does it.

use std::collections::BTreeMap;

use milepost::effect::{Effect, Fault, Outcome, SideWrite, Swap};

use crate::{failed, join};

/// Records by name. All of it is durable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Records {
    records: BTreeMap<String, Vec<u8>>,
}

impl Records {
    /// Every record, by name.
    pub fn all(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.records.iter().map(|(name, bytes)| (&**name, &**bytes))
    }

    /// The bytes of a record.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.records.get(name).map(Vec::as_slice)
    }

    /// Puts a record there, or takes it away, as another program would.
    pub fn put(&mut self, name: &str, bytes: Option<&[u8]>) {
        match bytes {
            Some(bytes) => self.records.insert(name.to_owned(), bytes.to_owned()),
            None => self.records.remove(name),
        };
    }

    /// Performs an effect on records; `None` for any other effect.
    pub(crate) fn perform(&mut self, effect: &Effect) -> Option<Outcome> {
        Some(match effect {
            Effect::ReadRecord { record } => match self.records.get(record) {
                Some(bytes) => Outcome::Bytes(bytes.clone()),
                None => failed(Fault::NotFound),
            },
            Effect::SwapRecord(swap) => self.swap(swap),
            Effect::ListRecords { under, limit } => self.list(under, *limit as usize),
            _ => return None,
        })
    }

    fn swap(&mut self, swap: &Swap) -> Outcome {
        let replaced = self.records.get(&swap.record).cloned();
        let is_taken = |other: &SideWrite| other.must_be_new && self.get(&other.record).is_some();
        if replaced != swap.expected || swap.side_writes.iter().any(is_taken) {
            return failed(Fault::Changed);
        }
        if let Some((keep, replaced)) = swap.keep.as_ref().zip(replaced) {
            self.put(&join(&swap.record, keep), Some(&replaced));
        }
        for SideWrite { record, bytes, .. } in &swap.side_writes {
            self.put(record, bytes.as_deref());
        }
        self.put(&swap.record, swap.bytes.as_deref());
        Outcome::Done
    }

    fn list(&self, under: &str, limit: usize) -> Outcome {
        let prefix = join(under, "");
        let below = self.records.keys();
        let below = below.filter_map(|name| name.strip_prefix(&*prefix));
        let names: Vec<String> = below
            .filter(|name| !name.contains('/'))
            .map(str::to_owned)
            .collect();
        let complete = names.len() < limit;
        Outcome::Names {
            names: names.into_iter().take(limit).collect(),
            complete,
        }
    }
}
