//! The use of a run's time: each job with its seconds and what it waited for, and the longest path.

use std::time::Duration;

use super::schedule::{Timing, Wait};

/// Jobs that take less are left out of the table.
const WORTH_A_ROW: Duration = Duration::from_millis(500);

/// The table of jobs in the order in which they started, and below it the chain of jobs that held up the end.
pub(super) fn table(names: &[&str], timings: &[Timing]) -> String {
    if timings.is_empty() {
        return String::new();
    }
    let mut rows: Vec<usize> = (0..names.len()).collect();
    rows.sort_by_key(|&job| timings[job].start);
    let mut table = format!("{:>6}  {:>7}  step\n", "start", "seconds");
    let mut short = 0;
    for job in rows {
        let timing = &timings[job];
        let took = timing.end - timing.start;
        if took < WORTH_A_ROW {
            short += 1;
            continue;
        }
        table.push_str(&format!(
            "{:>6.0}  {:>7.1}  {}{}\n",
            timing.start.as_secs_f64(),
            took.as_secs_f64(),
            names[job],
            waited(names, timing)
        ));
    }
    if short > 0 {
        table.push_str(&format!("{short} more took less than half a second\n"));
    }
    table.push_str(&longest_path(names, timings));
    table
}

/// The end of a job's row: the job that it waited for.
fn waited(names: &[&str], timing: &Timing) -> String {
    let Some((other, wait)) = timing.released_by else {
        return String::new();
    };
    let other = names[other];
    match wait {
        Wait::Need => format!(" (needs {other})"),
        Wait::Lock => format!(" (shares a folder or a lock with {other})"),
        Wait::Lane => format!(" (in the place of {other})"),
    }
}

/// From the job that ended last back to one that started with the run.
fn longest_path(names: &[&str], timings: &[Timing]) -> String {
    let mut path = Vec::new();
    let mut next = (0..timings.len()).max_by_key(|&job| timings[job].end);
    while let Some(job) = next {
        path.push(job);
        next = timings[job].released_by.map(|(other, _)| other);
    }
    path.reverse();
    let parts = path.iter().map(|&job| {
        let took = timings[job].end - timings[job].start;
        format!("{} {:.0} s", names[job], took.as_secs_f64())
    });
    format!("longest path: {}\n", parts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::{Timing, Wait, table};
    use std::time::Duration;

    fn timing(start: u64, end: u64, released_by: Option<(usize, Wait)>) -> Timing {
        Timing {
            start: Duration::from_secs(start),
            end: Duration::from_secs(end),
            released_by,
        }
    }

    #[test]
    fn the_longest_path_leads_back_from_the_last_end() {
        let timings = [
            timing(0, 5, None),
            timing(5, 9, Some((0, Wait::Need))),
            timing(9, 20, Some((1, Wait::Lane))),
            timing(5, 12, Some((0, Wait::Lane))),
            timing(9, 9, Some((1, Wait::Lock))),
        ];
        let shown = table(&["a", "b", "c", "d", "e"], &timings);
        let expected = "\u{20}start  seconds  step
     0      5.0  a
     5      4.0  b (needs a)
     5      7.0  d (in the place of a)
     9     11.0  c (in the place of b)
1 more took less than half a second
longest path: a 5 s, b 4 s, c 11 s
";
        assert_eq!(shown, expected);
    }
}
