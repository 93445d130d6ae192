//! Bytes by chance: new ones, and changed ones of a seed.

use fastrand::Rng;

/// The longest input that is made, in bytes.
const LONGEST: u32 = 4096;

/// The pieces of JSON and of paths, to be put in anywhere.
const PIECES: [&[u8]; 32] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\\",
    b"\\u",
    b"\\ud800",
    b"\\udc00",
    b"\\uD83D\\uDE00",
    b"\\n",
    b"0",
    b"-",
    b".",
    b"e",
    b"+",
    b"1e400",
    b"null",
    b"true",
    b" ",
    b"\n",
    b"\0",
    b"\x1f",
    b"\xFF",
    b"\xED\xA0\x80",
    b"\xEF\xBB\xBF",
    b"/",
    b"..",
    b"\"a\":",
    b"[[[[",
];

/// The next input. `seeds` may be empty.
pub(crate) fn next(random: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let seed = random.choice(seeds).filter(|_| random.u8(..) >= 16);
    match seed {
        None => fresh(random),
        Some(seed) => {
            let mut bytes = seed.clone();
            for _ in 0..random.u8(1..8) {
                change(random, &mut bytes, seeds);
            }
            bytes
        }
    }
}

/// Any length, rather short ones as often as long ones.
fn fresh(random: &mut Rng) -> Vec<u8> {
    let most = 1 << random.u32(4..=LONGEST.ilog2());
    let length = random.usize(0..=most);
    std::iter::repeat_with(|| random.u8(..))
        .take(length)
        .collect()
}

fn change(random: &mut Rng, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let at = random.usize(0..=bytes.len());
    let end = (at + random.usize(0..8)).min(bytes.len());
    match random.u8(0..8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
        3 => {
            // The rest of another seed.
            if let Some(other) = random.choice(seeds) {
                let from = random.usize(0..=other.len());
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
        }
        4 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.u8(..);
            }
        }
        5 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.u8(0..8);
            }
        }
        _ => {
            let piece = PIECES[random.usize(..PIECES.len())];
            bytes.splice(at..end, piece.iter().copied());
        }
    }
    bytes.truncate(LONGEST as usize);
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::{LONGEST, next};

    #[test]
    fn a_seed_gives_the_same_inputs_again() {
        let seeds = [b"{\"a\": 1}".to_vec(), b"[]".to_vec()];
        let inputs = |seed: u64| -> Vec<Vec<u8>> {
            let mut random = Rng::with_seed(seed);
            (0..500).map(|_| next(&mut random, &seeds)).collect()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
        assert!(
            inputs(1)
                .iter()
                .all(|input| input.len() <= LONGEST as usize)
        );
    }
}
