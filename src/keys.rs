//! Look-ups and order by text.
//!
//! The standard library's tree and sort are compiled anew for every type that they hold, at 5 to
//! 8 KB of wasm each. Everything here goes through one of them.

/// Values by key, for many look-ups. Of equal keys the first one given counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyed<'a, V> {
    /// Each key once and where its value stands, sorted by key.
    places: Vec<(&'a str, usize)>,
    values: Vec<V>,
}

/// A set of texts.
pub type Keys<'a> = Keyed<'a, ()>;

impl<'a, V> Keyed<'a, V> {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&V> {
        self.values.get(place(&self.places, key)?)
    }

    /// Whether the key is there.
    pub fn contains(&self, key: &str) -> bool {
        place(&self.places, key).is_some()
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The entries, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &V)> {
        self.places
            .iter()
            .map(|(key, at)| (*key, &self.values[*at]))
    }
}

impl<V> Default for Keyed<'_, V> {
    fn default() -> Self {
        Keyed {
            places: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl<'a, V> FromIterator<(&'a str, V)> for Keyed<'a, V> {
    fn from_iter<I: IntoIterator<Item = (&'a str, V)>>(entries: I) -> Self {
        let mut places = Vec::new();
        let mut values = Vec::new();
        for (key, value) in entries {
            places.push((key, values.len()));
            values.push(value);
        }
        Keyed {
            places: sorted_once_each(places),
            values,
        }
    }
}

impl<'a> FromIterator<&'a str> for Keys<'a> {
    fn from_iter<I: IntoIterator<Item = &'a str>>(keys: I) -> Self {
        keys.into_iter().map(|key| (key, ())).collect()
    }
}

#[inline(never)]
fn place(places: &[(&str, usize)], key: &str) -> Option<usize> {
    let at = places
        .binary_search_by(|(entry, _)| (*entry).cmp(key))
        .ok()?;
    Some(places[at].1)
}

#[inline(never)]
fn sorted_once_each(mut places: Vec<(&str, usize)>) -> Vec<(&str, usize)> {
    places.sort_unstable();
    places.dedup_by(|(later, _), (first, _)| later == first);
    places
}

/// The positions of some texts in the order of the texts; equal ones keep theirs.
pub fn order(texts: &[&str]) -> Vec<usize> {
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
    use super::{Keyed, Keys, order, sort};

    #[test]
    fn of_equal_keys_the_first_one_counts() {
        let keyed: Keyed<'_, u8> = [("b", 1), ("a", 2), ("b", 3)].into_iter().collect();
        assert_eq!(
            (keyed.get("a"), keyed.get("b"), keyed.get("c")),
            (Some(&2), Some(&1), None)
        );
        assert_eq!(
            keyed.iter().map(|(key, _)| key).collect::<Vec<_>>(),
            ["a", "b"]
        );
        let keys: Keys<'_> = ["x", "x"].into_iter().collect();
        assert_eq!(keys.len(), 1);
    }

    #[test]
    fn texts_are_ordered_and_equal_ones_keep_their_places() {
        assert_eq!(order(&["b", "a", "b", ""]), [3, 1, 0, 2]);
        assert_eq!(sort(vec!["b".into(), "a".into()]), ["a", "b"]);
    }
}
