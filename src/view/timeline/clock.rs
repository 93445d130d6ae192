//! The times of revisions, in the order in which they were made.
//!
//! The number of a revision says its place, and its time says when; a clock that was set, or another
//! machine's, can make the two contradict each other. Then the number counts. The times of as many revisions as
//! possible that are in order stand as they are, and any other revision is placed where the one before it is.

/// The times of revisions, in the order of their numbers, so that none is before the one before it. One that
/// says no time is where the one before it is; where none says a time, nothing is anywhere.
pub(super) fn in_order(times: &[Option<f64>]) -> Vec<f64> {
    let trusted = longest_rising(times);
    let mut trusted = trusted.into_iter().peekable();
    let Some(mut now) = trusted.peek().and_then(|at| times[*at]) else {
        return Vec::new();
    };
    let placed = times.iter().enumerate().map(|(at, time)| {
        if trusted.next_if_eq(&at).is_some()
            && let Some(time) = time
        {
            now = *time;
        }
        now
    });
    placed.collect()
}

/// The places of the longest sequence of times of which none is before the one before it.
fn longest_rising(times: &[Option<f64>]) -> Vec<usize> {
    // For each length the place where a sequence of that length ends earliest.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; times.len()];
    for (at, time) in times.iter().enumerate() {
        let Some(time) = time else { continue };
        let length = ends.partition_point(|end| times[*end].is_some_and(|it| it <= *time));
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut found = Vec::new();
    let mut next = ends.last().copied();
    while let Some(at) = next {
        found.push(at);
        next = before[at];
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn a_clock_that_jumps_makes_no_revision_come_before_an_earlier_one() {
        for (times, expected) in [
            (&[1.0, 2.0, 3.0][..], &[1.0, 2.0, 3.0][..]),
            // Set back once: what went before it is the longer part.
            (
                &[10.0, 20.0, 30.0, 5.0, 6.0],
                &[10.0, 20.0, 30.0, 30.0, 30.0],
            ),
            // Set back at the beginning.
            (&[90.0, 1.0, 2.0, 3.0], &[1.0, 1.0, 2.0, 3.0]),
            // One revision from another machine, ahead and behind.
            (&[1.0, 900.0, 2.0, 3.0], &[1.0, 1.0, 2.0, 3.0]),
            (&[5.0, 1.0, 6.0, 7.0], &[1.0, 1.0, 6.0, 7.0]),
            (&[4.0, 4.0, 4.0], &[4.0, 4.0, 4.0]),
            (&[], &[]),
        ] {
            let times: Vec<Option<f64>> = times.iter().copied().map(Some).collect();
            assert_eq!(in_order(&times), expected, "{times:?}");
        }
        assert_eq!(in_order(&[None, Some(3.0), None]), [3.0, 3.0, 3.0]);
        assert!(in_order(&[None, None]).is_empty());
    }

    #[test]
    fn times_never_fall_and_most_of_them_stand_for_any_clock() {
        for seed in 0..2_000 {
            let _run = milepost_property::seed(
                "times never fall and most of them stand regardless of the clock",
                seed,
            );
            let mut random = fastrand::Rng::with_seed(seed);
            let length = random.usize(0..12);
            let times: Vec<Option<f64>> = (0..length)
                .map(|_| (random.u8(..8) > 0).then(|| f64::from(random.u8(..9))))
                .collect();
            let placed = in_order(&times);
            assert!(placed.is_sorted(), "seed {seed}: {placed:?}");
            // No choice of times that are in order is longer.
            let stand = times.iter().zip(&placed);
            let stand = stand
                .filter(|(time, placed)| **time == Some(**placed))
                .count();
            let longest = (0..1_usize << length).filter_map(|chosen| {
                let chosen = (0..length).filter(|at| chosen >> at & 1 == 1);
                let chosen: Option<Vec<f64>> = chosen.map(|at| times[at]).collect();
                chosen.filter(|it| it.is_sorted()).map(|it| it.len())
            });
            assert!(longest.max().unwrap_or(0) <= stand, "seed {seed}");
        }
    }
}
