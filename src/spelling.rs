//! The name that was probably meant: one of those that are there, a few letters away.

use strsim::osa_distance;

/// Names of more bytes are not compared: that takes the product of both lengths.
const MAX_COMPARED: usize = 100;

/// One letter in so many may be another one, left out, or in the wrong place.
const LETTERS_PER_MISTAKE: usize = 3;

/// Returns the nearest of these names, if one is near enough to be meant. Names that differ in their numbers alone
/// are those of a series, and none of them is meant for another.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let others = names.into_iter().filter(|other| *other != name);
    let near = others.filter_map(|other| {
        if name.len().max(other.len()) > MAX_COMPARED || are_of_a_series(name, other) {
            return None;
        }
        let distance = osa_distance(&lower, &other.to_lowercase());
        let length = name.chars().count().max(other.chars().count());
        let is_near = distance * LETTERS_PER_MISTAKE <= length;
        is_near.then_some((distance, other))
    });
    let first = near.min_by_key(|(distance, _)| *distance);
    first.map(|(_, other)| other)
}

fn are_of_a_series(name: &str, other: &str) -> bool {
    let without_numbers = |text: &str| -> String {
        let is_kept = |it: &char| !it.is_ascii_digit();
        text.chars().filter(is_kept).collect()
    };
    without_numbers(name) == without_numbers(other)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_name_with_a_few_mistakes_is_near() {
        for (name, expected) in [
            ("bulid", "build"),
            ("buidl", "build"),
            ("Build", "build"),
            ("paymnet", "payments"),
            ("dark mode", "dark-mode"),
            ("testing", "tests in CI"),
        ] {
            let names = ["design", "build", "payments", "dark-mode", "tests in CI"];
            let found = nearest(name, names);
            let is_near = name != "testing";
            assert_eq!(found, is_near.then_some(expected), "{name}");
        }
    }

    #[test]
    fn the_nearest_of_several_is_meant() {
        assert_eq!(nearest("parsers", ["parse", "parser"]), Some("parser"));
    }

    #[test]
    fn long_names_are_not_compared() {
        let long = "x".repeat(101);
        assert_eq!(nearest(&long, [&long[1..]]), None);
        assert_eq!(nearest(&long[1..], [&long[2..]]), Some(&long[2..]));
    }

    #[test]
    fn a_short_name_and_a_number_of_a_series_are_names_of_their_own() {
        for (name, other) in [
            ("b", "a"),
            ("qa", "ci"),
            ("phase 2", "phase 1"),
            ("T-010", "T-009"),
            ("build", "build"),
            ("docs", "tests"),
        ] {
            assert_eq!(nearest(name, [other]), None, "{name} {other}");
        }
    }
}
