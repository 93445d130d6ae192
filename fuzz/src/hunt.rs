//! One target: the kept inputs first, then new ones until the time is over or one fails.
//!
//! The loop, its bytes and its shrinking are of this crate because `arbtest`, which has the same face
//! (a property of `Unstructured`), makes every input of chance alone, and minimises by drawing other
//! inputs from fewer random bytes, regardless of how they fail. With two faults planted in a reader of JSON,
//! three tries of 20 s each: on its own bytes it found neither in 3 million inputs. With the changes of
//! `bytes` made from its `Unstructured` it found both, in the same number of inputs and in 0.2 to 2 s
//! instead of 2 to 200 ms; what it minimised in 20 s had 47 bytes, and 14 or 15 after `shrink`, which
//! takes less than 0.3 s. Nor can a whole hunt be repeated: its seeds are drawn from the system.

use std::process;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use fastrand::Rng;
use milepost_fuzz::Target;
use milepost_property as property;

use crate::outcome::{self, Failure};
use crate::{bytes, regressions, shrink};

/// No input takes a thousandth of this.
const ENDLESS: Duration = Duration::from_secs(20);

/// Of a failing input, so many bytes are printed.
const SHOWN: usize = 400;

/// The bounds of a hunt.
pub(crate) struct Bounds {
    pub(crate) seed: u64,
    pub(crate) time: Duration,
    pub(crate) count: u64,
}

/// The input in progress, for the watch.
static IN_FLIGHT: Mutex<Option<(&Target, Vec<u8>, Instant)>> = Mutex::new(None);

/// Ends the process when one input takes for ever, and keeps that input.
pub(crate) fn watch() {
    thread::spawn(|| {
        loop {
            thread::sleep(Duration::from_secs(1));
            let in_flight = IN_FLIGHT.lock().unwrap_or_else(PoisonError::into_inner);
            let Some((target, input, since)) = &*in_flight else {
                continue;
            };
            if since.elapsed() > ENDLESS {
                let kept = match regressions::keep(target, input) {
                    Ok(path) => path.display().to_string(),
                    Err(error) => format!("nowhere ({error:#})"),
                };
                println!(
                    "{}: FAILED, no end within {ENDLESS:?}; the input is in {kept}",
                    target.name
                );
                process::exit(1);
            }
        }
    });
}

fn try_one(target: &'static Target, input: &[u8]) -> Option<Failure> {
    let in_flight = |now| *IN_FLIGHT.lock().unwrap_or_else(PoisonError::into_inner) = now;
    in_flight(Some((target, input.to_owned(), Instant::now())));
    let failure = outcome::of(target, input);
    in_flight(None);
    failure
}

/// Returns whether the property holds for every input, and prints what came of it.
///
/// # Errors
///
/// The kept inputs cannot be read, or a new one cannot be kept.
pub(crate) fn run(target: &'static Target, bounds: &Bounds) -> Result<bool> {
    let kept = regressions::of(target)?;
    let mut all_hold = true;
    for (path, input) in &kept {
        if let Some(failure) = try_one(target, input) {
            let again = format!("again with {}", path.display());
            report(target, &failure, input, &again);
            all_hold = false;
        }
    }
    if !all_hold {
        return Ok(false);
    }
    let seeds = target.seeds.iter().map(|seed| seed.to_vec());
    let seeds: Vec<Vec<u8>> = seeds
        .chain(kept.into_iter().map(|(_, input)| input))
        .collect();
    let mut random = Rng::with_seed(bounds.seed);
    let started = Instant::now();
    let mut count = 0;
    while count < bounds.count && started.elapsed() < bounds.time {
        let input = bytes::next(&mut random, &seeds);
        count += 1;
        if let Some(failure) = try_one(target, &input) {
            let same = |input: &[u8]| {
                outcome::of(target, input).is_some_and(|found| found.location == failure.location)
            };
            let smallest = shrink::smallest(input, same);
            let failure = outcome::of(target, &smallest).unwrap_or(failure);
            let path = regressions::keep(target, &smallest)?;
            let again = format!(
                "kept as {}; again with --seed {} --count {count}",
                path.display(),
                bounds.seed
            );
            report(target, &failure, &smallest, &again);
            return Ok(false);
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("{}: {count} executions in {seconds:.1} s", target.name);
    Ok(true)
}

fn report(target: &Target, failure: &Failure, input: &[u8], how: &str) {
    property::report(sentence(target, failure, how));
    let shown = input[..input.len().min(SHOWN)].escape_ascii();
    println!("{}: FAILED at {}", target.name, failure.location);
    println!("{}", failure.message);
    println!("{} bytes: {shown}", input.len());
    println!("{how}");
}

/// The failure and how to see it again, in one line.
fn sentence(target: &Target, failure: &Failure, how: &str) -> String {
    let first = failure.message.lines().next().unwrap_or_default();
    format!("{}: {first}; {how}", target.name)
}

#[cfg(test)]
mod tests {
    use milepost_fuzz::Target;

    use super::sentence;
    use crate::outcome::Failure;

    #[test]
    fn a_proof_names_the_target_and_its_seed_in_one_line() {
        let target = Target {
            name: "sabotage",
            run: |_| (),
            seeds: &[],
            inputs: 0,
        };
        let failure = Failure {
            location: "a.rs:1".to_owned(),
            message: "it differs\n left: 1".to_owned(),
        };
        assert_eq!(
            sentence(&target, &failure, "again with --seed 5"),
            "sabotage: it differs; again with --seed 5"
        );
    }
}
