use fancy_regex::Regex;
use fastrand::Rng;

use super::{Classes, Encoding, PieceScan};

const O200K: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

const CL100K: &str = concat!(
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+",
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
);

/// The texts that the patterns distinguish, and texts near to them.
const PARTS: [&str; 44] = [
    "a",
    "b",
    "s",
    "A",
    "B",
    "S",
    "ǅ",
    "ʰ",
    "ª",
    "中",
    "\u{301}",
    "\u{20DD}",
    "1",
    "²",
    "Ⅷ",
    " ",
    "\u{A0}",
    "\u{3000}",
    "\t",
    "\r",
    "\n",
    "\u{85}",
    "\u{FEFF}",
    "\u{200B}",
    "\0",
    "'",
    "'s",
    "'S",
    "'ſ",
    "'re",
    "'LL",
    "'v",
    "'d",
    "/",
    "-",
    "…",
    "😀",
    "\u{200D}",
    "\u{FE0F}",
    "\u{E0100}",
    "\u{10FFFF}",
    "ß",
    "İ",
    "\u{2028}",
];

fn chance(random: &mut Rng) -> String {
    let parts = 1 + random.usize(..12);
    (0..parts)
        .map(|_| PARTS[random.usize(..PARTS.len())])
        .collect()
}

fn pieces<'a>(encoding: Encoding, text: &'a str, classes: &Classes) -> Vec<&'a str> {
    let mut scan = PieceScan::new(text, classes);
    let (mut at, mut pieces) = (0, Vec::new());
    while at < text.len() {
        let end = scan.end(encoding, at);
        pieces.push(&text[at..end]);
        at = end;
    }
    pieces
}

#[test]
fn pieces_are_those_of_the_published_patterns() {
    let classes = Classes::new();
    let _run = milepost_property::seed("pieces are those of the published patterns", 7);
    let mut random = Rng::with_seed(7);
    for (encoding, pattern) in [(Encoding::O200k, O200K), (Encoding::Cl100k, CL100K)] {
        let pattern = Regex::new(pattern).unwrap();
        for _ in 0..60_000 {
            let text = chance(&mut random);
            let expected: Vec<&str> = pattern
                .find_iter(&text)
                .map(|found| found.unwrap().as_str())
                .collect();
            assert_eq!(
                pieces(encoding, &text, &classes),
                expected,
                "{encoding:?} {text:?}"
            );
        }
    }
}

#[test]
fn a_piece_that_no_look_went_beyond_is_the_same_with_more_text_behind() {
    let classes = Classes::new();
    let _run = milepost_property::seed(
        "a piece that no look went beyond is the same with more text behind",
        8,
    );
    let mut random = Rng::with_seed(8);
    let mut sure = 0;
    for _ in 0..60_000 {
        let (text, more) = (chance(&mut random), chance(&mut random));
        let whole = format!("{text}{more}");
        for encoding in Encoding::ALL {
            let (mut scan, mut longer) = (
                PieceScan::new(&text, &classes),
                PieceScan::new(&whole, &classes),
            );
            let mut at = 0;
            while at < text.len() {
                let end = scan.end(encoding, at);
                if scan.looked_beyond() {
                    break;
                }
                assert_eq!(
                    longer.end(encoding, at),
                    end,
                    "{encoding:?} {text:?} {more:?}"
                );
                sure += 1;
                at = end;
            }
        }
    }
    assert!(sure > 60_000, "{sure}");
}
