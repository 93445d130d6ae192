//! Cuts a failing input down while it fails in the same place.

use std::time::{Duration, Instant};

/// No input is worth more time than this.
const PATIENCE: Duration = Duration::from_secs(20);

/// The smallest input that cutting and zeroing come to; `fails` holds for it as for `input`.
pub(crate) fn smallest(mut input: Vec<u8>, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let started = Instant::now();
    loop {
        let before = input.clone();
        let mut length = input.len();
        while length > 0 {
            let mut at = 0;
            while at < input.len() && started.elapsed() < PATIENCE {
                let end = (at + length).min(input.len());
                let mut shorter = input.clone();
                shorter.drain(at..end);
                let mut plainer = input.clone();
                plainer[at..end].fill(0);
                if fails(&shorter) {
                    input = shorter;
                } else {
                    if plainer != input && fails(&plainer) {
                        input = plainer;
                    }
                    at = end;
                }
            }
            length /= 2;
        }
        if input == before {
            return input;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::smallest;

    #[test]
    fn irrelevant_bytes_are_cut_or_zeroed() {
        let input = b"abcXdefYghi".to_vec();
        let fails = |input: &[u8]| {
            let x = input.iter().position(|&byte| byte == b'X');
            let y = input.iter().position(|&byte| byte == b'Y');
            matches!((x, y), (Some(x), Some(y)) if y > x + 1)
        };
        assert_eq!(smallest(input, fails), b"X\0Y");
    }

    #[test]
    fn an_input_that_fails_always_becomes_empty() {
        assert_eq!(smallest(vec![7; 1000], |_| true), b"");
    }
}
