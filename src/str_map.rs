//! Look-ups and order by text.
//!
//! The standard library's tree, sort and hash map are compiled again for every type that they hold,
//! at 5 to 8 KB of wasm each. Everything here goes through one sort and one table.

use std::hash::Hasher;

use crate::step_count::step;

/// Values by key, for many look-ups. Of equal keys the first one given counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrMap<'a, V> {
    index: KeyIndex<'a>,
    values: Vec<V>,
}

/// A set of texts.
pub type StrSet<'a> = StrMap<'a, ()>;

impl<'a, V> StrMap<'a, V> {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&V> {
        self.values.get(self.index.of(key)?)
    }

    /// Returns whether the key is there.
    pub fn contains(&self, key: &str) -> bool {
        self.index.of(key).is_some()
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.index.count
    }

    /// Returns whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.index.keys.is_empty()
    }

    /// The keys in the order in which they were given, with those that were given again.
    pub fn keys(&self) -> &[&'a str] {
        &self.index.keys
    }

    /// The entries, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &V)> {
        sorted_once_each(&self.index.keys)
            .into_iter()
            .map(|(key, at)| (key, &self.values[at]))
    }
}

impl<V> Default for StrMap<'_, V> {
    fn default() -> Self {
        StrMap {
            index: KeyIndex::default(),
            values: Vec::new(),
        }
    }
}

impl<'a, V> FromIterator<(&'a str, V)> for StrMap<'a, V> {
    fn from_iter<I: IntoIterator<Item = (&'a str, V)>>(entries: I) -> Self {
        let mut keys = Vec::new();
        let mut values = Vec::new();
        for (key, value) in entries {
            keys.push(key);
            values.push(value);
        }
        StrMap {
            index: KeyIndex::new(keys),
            values,
        }
    }
}

impl<'a> FromIterator<&'a str> for StrSet<'a> {
    fn from_iter<I: IntoIterator<Item = &'a str>>(keys: I) -> Self {
        keys.into_iter().map(|key| (key, ())).collect()
    }
}

/// The index of the first of each of some keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct KeyIndex<'a> {
    keys: Vec<&'a str>,
    /// The number of keys that differ.
    count: usize,
    /// For each key its place and 1, at its hash or behind it, and 0 where none is; empty where the
    /// keys are few or crowded.
    slots: Vec<u32>,
    /// Each key once and its place, where too many hashes are alike.
    sorted: Vec<(&'a str, usize)>,
}

/// Up to here comparing all pairs is faster than a table.
const FEW: usize = 8;

/// No key is further behind its hash. With chance alone it takes millions of keys to get there; an
/// attacker who chooses keys can, so that they are sorted then.
const FAR: usize = 64;

impl<'a> KeyIndex<'a> {
    #[inline(never)]
    fn new(keys: Vec<&'a str>) -> Self {
        let mut index = KeyIndex {
            keys,
            ..KeyIndex::default()
        };
        if index.keys.len() <= FEW {
            let keys = &index.keys;
            let is_first = |at: &usize| !keys[..*at].iter().any(|key| is_same(key, keys[*at]));
            index.count = (0..keys.len()).filter(is_first).count();
        } else if !index.fill() {
            index.slots = Vec::new();
            index.sorted = sorted_once_each(&index.keys);
            index.count = index.sorted.len();
        }
        index
    }

    /// Makes the table, and says whether no key is too far behind its hash.
    fn fill(&mut self) -> bool {
        self.slots = vec![0; (2 * self.keys.len()).next_power_of_two()];
        for (place, key) in self.keys.iter().enumerate() {
            match probe(&self.keys, &self.slots, key) {
                Probe::Found(_) => {}
                Probe::Free(slot) => {
                    // No text that is read has more keys than this counts.
                    self.slots[slot] = u32::try_from(place + 1).unwrap_or(u32::MAX);
                    self.count += 1;
                }
                Probe::Crowded => return false,
            }
        }
        true
    }

    #[inline(never)]
    fn of(&self, key: &str) -> Option<usize> {
        if !self.slots.is_empty() {
            return match probe(&self.keys, &self.slots, key) {
                Probe::Found(place) => Some(place),
                Probe::Free(_) | Probe::Crowded => None,
            };
        }
        if self.keys.len() <= FEW {
            return self.keys.iter().position(|entry| is_same(entry, key));
        }
        let at = self.sorted.binary_search_by(|(entry, _)| {
            step(1);
            (*entry).cmp(key)
        });
        Some(self.sorted[at.ok()?].1)
    }
}

/// The result of a look for a key in a table.
enum Probe {
    /// The key, at this place.
    Found(usize),
    /// Nothing; this slot would be its own.
    Free(usize),
    /// Others, as far as it may stand.
    Crowded,
}

fn probe(keys: &[&str], slots: &[u32], key: &str) -> Probe {
    let mut mixer = Mixer::default();
    mixer.write(key.as_bytes());
    let hash = mixer.finish() as usize;
    // A power of two.
    let mask = slots.len() - 1;
    for behind in 0..FAR {
        let slot = hash.wrapping_add(behind) & mask;
        match slots[slot] {
            0 => return Probe::Free(slot),
            taken if is_same(keys[taken as usize - 1], key) => {
                return Probe::Found(taken as usize - 1);
            }
            _ => {}
        }
    }
    Probe::Crowded
}

fn is_same(one: &str, other: &str) -> bool {
    step(1);
    one == other
}

#[inline(never)]
fn sorted_once_each<'a>(keys: &[&'a str]) -> Vec<(&'a str, usize)> {
    let mut places: Vec<_> = keys.iter().copied().zip(0..).collect();
    places.sort_unstable();
    places.dedup_by(|(later, _), (first, _)| later == first);
    places
}

/// A hash that is quick, and no proof that two values are equal: an author of keys can make it the
/// same.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mixer(u64);

impl Mixer {
    fn mix(&mut self, part: u64) {
        /// 2^64 over the golden ratio: multiplying by it spreads each bit upwards.
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        let mixed = (self.0 ^ part).wrapping_mul(SPREAD);
        self.0 = mixed ^ (mixed >> 32);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((chunk, behind)) = rest.split_first_chunk::<8>() {
            self.mix(u64::from_le_bytes(*chunk));
            rest = behind;
        }
        let last = rest
            .iter()
            .fold(0, |last, byte| last << 8 | u64::from(*byte));
        // Longer by a zero byte is another text.
        self.mix(last << 8 | bytes.len() as u64 & 0xFF);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The positions of some texts in the order of the texts; equal ones keep theirs.
pub fn order(texts: &[&str]) -> Vec<usize> {
    // Some hosts list in order, and the sort that is built for size does not notice.
    if texts.is_sorted() {
        return (0..texts.len()).collect();
    }
    let mut order: Vec<(&str, usize)> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| (*text, at))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}

/// Sorts texts.
pub fn sort(texts: Vec<String>) -> Vec<String> {
    let order = order(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let mut texts = texts;
    order
        .into_iter()
        .map(|at| std::mem::take(&mut texts[at]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{FAR, FEW, KeyIndex, Mixer, StrMap, StrSet, order, sort};
    use crate::step_count::steps_of;
    use std::collections::BTreeMap;
    use std::hash::Hasher;

    #[test]
    fn of_equal_keys_the_first_one_counts() {
        let keyed: StrMap<'_, u8> = [("b", 1), ("a", 2), ("b", 3)].into_iter().collect();
        assert_eq!(
            (keyed.get("a"), keyed.get("b"), keyed.get("c")),
            (Some(&2), Some(&1), None)
        );
        assert_eq!(
            keyed.iter().map(|(key, _)| key).collect::<Vec<_>>(),
            ["a", "b"]
        );
        let keys: StrSet<'_> = ["x", "x"].into_iter().collect();
        assert_eq!(keys.len(), 1);
    }

    #[test]
    fn texts_are_ordered_and_equal_ones_keep_their_places() {
        assert_eq!(order(&["b", "a", "b", ""]), [3, 1, 0, 2]);
        assert_eq!(sort(vec!["b".into(), "a".into()]), ["a", "b"]);
    }
    #[test]
    fn any_number_of_keys_is_found_as_in_a_tree() {
        let _run = milepost_property::seed("any number of keys is found as in a tree", 7);
        let mut random = fastrand::Rng::with_seed(7);
        for round in 0..2_000 {
            let keys: Vec<String> = (0..random.usize(..4 * FEW))
                .map(|_| match random.usize(..3) {
                    0 => format!("phase-{}", random.u8(..20)),
                    1 => "\0".repeat(random.usize(..20)),
                    _ => random.u8(..20).to_string(),
                })
                .collect();
            let entries = || keys.iter().map(String::as_str).zip(0..);
            let keyed: StrMap<'_, usize> = entries().collect();
            let mut tree = BTreeMap::new();
            for (key, value) in entries() {
                tree.entry(key).or_insert(value);
            }
            assert_eq!(keyed.len(), tree.len(), "round {round}");
            assert!(
                keyed
                    .iter()
                    .eq(tree.iter().map(|(key, value)| (*key, value)))
            );
            for key in keys
                .iter()
                .map(String::as_str)
                .chain(["", "phase-x", "\0\0"])
            {
                assert_eq!(keyed.get(key), tree.get(key), "round {round}: {key:?}");
                assert_eq!(keyed.contains(key), tree.contains_key(key));
            }
        }
    }

    /// Texts of 16 bytes with one hash: what the first half leaves is undone by the second.
    fn alike(count: u64) -> Vec<String> {
        let after = |first: u64| {
            let mut mixer = Mixer::default();
            mixer.mix(first);
            mixer.0
        };
        // Only text: both halves have to be ASCII.
        (0..u64::MAX)
            .map(|at| u64::from_le_bytes(format!("{at:08}").as_bytes().try_into().unwrap()))
            .map(|first| {
                (
                    first,
                    after(first) ^ after(u64::from_le_bytes(*b"00000000")),
                )
            })
            .map(|(first, undone)| (first, undone ^ u64::from_le_bytes(*b"AAAAAAAA")))
            .filter_map(|(first, second)| {
                let bytes = [first.to_le_bytes(), second.to_le_bytes()].concat();
                String::from_utf8(bytes).ok()
            })
            .take(usize::try_from(count).unwrap())
            .collect()
    }

    #[test]
    fn keys_that_were_chosen_to_have_one_hash_are_found_in_few_steps() {
        let keys = alike(4 * FAR as u64);
        let hash = |key: &String| {
            let mut mixer = Mixer::default();
            mixer.write(key.as_bytes());
            mixer.finish()
        };
        assert!(keys.iter().all(|key| hash(key) == hash(&keys[0])));
        let index = KeyIndex::new(keys.iter().map(String::as_str).collect());
        assert!(index.slots.is_empty() && index.count == keys.len());
        let found = steps_of(|| {
            for (at, key) in keys.iter().enumerate() {
                assert_eq!(index.of(key), Some(at));
            }
        });
        assert!(found <= 10 * keys.len() as u64, "{found} comparisons");
        assert_eq!(index.of("AAAAAAAA"), None);
    }

    #[test]
    fn looking_all_keys_up_takes_twice_the_steps_for_twice_the_keys() {
        let all = |count: usize| {
            let keys: Vec<String> = (0..count).map(|at| format!("phase-{at}")).collect();
            steps_of(|| {
                let set: StrSet<'_> = keys.iter().map(String::as_str).collect();
                assert!(keys.iter().all(|key| set.contains(key)));
            })
        };
        let (once, twice) = (all(20_000), all(40_000));
        assert!(once <= 4 * 20_000 && twice <= 4 * 40_000, "{once}, {twice}");
    }
}
