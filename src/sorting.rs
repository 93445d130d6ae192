//! One sort for every type. The standard library's is compiled for each type and each order by itself, 6 KB at a time in
//! the native program; what is long, or sorted often, has its own all the same.

use std::cmp::Ordering;
use std::mem;

/// Sorts a list; what is equal keeps its order.
pub fn sort_by<T>(list: &mut Vec<T>, order: impl Fn(&T, &T) -> Ordering) {
    let mut places: Vec<usize> = (0..list.len()).collect();
    sort_places(&mut places, &|one, other| order(&list[one], &list[other]));
    let mut items: Vec<Option<T>> = mem::take(list).into_iter().map(Some).collect();
    list.extend(places.into_iter().filter_map(|at| items[at].take()));
}

/// Sorts a list by a key.
pub fn sort_by_key<T, K: Ord>(list: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(list, |one, other| key(one).cmp(&key(other)));
}

#[inline(never)]
fn sort_places(places: &mut [usize], order: &dyn Fn(usize, usize) -> Ordering) {
    places.sort_by(|&one, &other| order(one, other));
}

#[cfg(test)]
mod tests {
    use super::{sort_by, sort_by_key};

    #[test]
    fn a_list_is_sorted_and_what_is_equal_keeps_its_order() {
        for length in [0_usize, 1, 2, 20, 21, 500] {
            let list = || -> Vec<(usize, String)> {
                let numbers = (0..length).map(|at| at * 7919 % 13);
                numbers.zip((0..).map(|at: u32| at.to_string())).collect()
            };
            let mut expected = list();
            expected.sort_by_key(|(number, _)| *number);
            let (mut by_key, mut by_order) = (list(), list());
            sort_by_key(&mut by_key, |(number, _)| *number);
            sort_by(&mut by_order, |one, other| one.0.cmp(&other.0));
            assert_eq!((&by_key, &by_order), (&expected, &expected));
        }
    }
}
