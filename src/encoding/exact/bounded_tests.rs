//! The cost of counts in steps, for texts that are searched for bad ones.

use fastrand::Rng;

use super::{Learnt, TextPrefix, by_the_book, learn, tokenizer};
use crate::encoding::Encoding;
use crate::encoding::exact::ExactCounter;
use crate::encoding::exact::long_piece::{LongPiece, PieceEnd};
use crate::encoding::exact::tokenizer::Tokenizer;
use crate::step_count::steps_of;

const PROSE: &str = "The store keeps each document in a file of its own, and beside it the ones that it took the \
    place of. A writer reads the document, makes the next one of it, and puts that in its place if no other writer \
    was faster. So a reader has the one or the other, and no half of any. Where the power fails, the file that was \
    there before is there again, or the next one is, and the history says in each case which of them it is. Of all \
    that a program may do with a file, a rename alone has this property on every system that people use. ";

/// Signs that rules are drawn with.
const SIGNS: [&str; 7] = ["-", "=", "#", "*", "/", " ", "中"];

/// The parts of texts that are searched.
const PARTS: [&str; 40] = [
    "-", "=", "#", "*", "/", "_", "+", "|", ".", "'", "{", "}", ";", "()", "--", "a", "b", "e",
    "th", "the", "store", "A", "B", "É", "é", "ß", "中", "文", "の", "😀", "\u{301}", "\u{200D}",
    "1", "23", " ", "\t", "\u{A0}", "\n", "\r\n", "'s",
];

/// A count of any text takes no more than so many times the steps of one of prose.
const FACTOR: f64 = 10.0;

/// Bytes of the texts that are searched.
const BYTES: usize = 9000;

/// A vocabulary that has words and long runs, as both encodings have.
fn learnt() -> Learnt {
    let mut random = Rng::with_seed(3);
    let words = PROSE
        .split_inclusive([',', '.'])
        .flat_map(|part| part.split_inclusive(' '));
    let mut pieces: Vec<String> = words.map(|word| format!(" {}", word.trim_end())).collect();
    pieces.extend(pieces.clone());
    for sign in SIGNS {
        pieces.extend((0..4).map(|_| sign.repeat(random.usize(200..300))));
    }
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    let learnt = learn(&mut random, &pieces, 600);
    for long in ["-".repeat(128), " ".repeat(64), " document".to_owned()] {
        assert!(learnt.ranks.contains_key(long.as_bytes()), "{long:?}");
    }
    learnt
}

/// A text of many bytes that repeats this unit.
fn repeated(unit: &str, bytes: usize) -> String {
    unit.repeat(bytes.div_ceil(unit.len()))
}

/// A unit by chance: parts, some of them many times.
fn parts(random: &mut Rng) -> Vec<String> {
    let one = |random: &mut Rng| {
        let times = [1, 1, 1, 2, 3, 7, 23, 64, 65, 200][random.usize(..10)];
        PARTS[random.usize(..PARTS.len())].repeat(times)
    };
    (0..random.usize(1..5)).map(|_| one(random)).collect()
}

fn steps_per_byte(tokenizer: &mut Tokenizer, text: &str) -> f64 {
    steps_of(|| tokenizer.count(text)) as f64 / text.len() as f64
}

/// The unit of the text that takes the most steps, among many that are each changed for the worse.
fn worst(tokenizer: &mut Tokenizer, random: &mut Rng) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for _ in 0..20 {
        let mut unit = parts(random);
        let mut most = 0.0;
        for _ in 0..20 {
            let mut next = unit.clone();
            let at = random.usize(..next.len());
            next.splice(at..at + random.usize(..2), parts(random));
            let text = repeated(&next.concat(), BYTES);
            let steps = steps_per_byte(tokenizer, &text);
            if steps > most {
                (unit, most) = (next, steps);
            }
        }
        if most > worst.0 {
            worst = (most, unit.concat());
        }
    }
    worst
}

/// Texts as users have them that are hard for some tokenizers.
fn known() -> Vec<String> {
    let mut random = Rng::with_seed(4);
    let mut chance = |signs: &[u8], bytes: usize| -> String {
        let one = |_| char::from(signs[random.usize(..signs.len())]);
        (0..bytes).map(one).collect()
    };
    let base64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letters = b"abcdefghijklmnopqrstuvwxyz";
    let mut texts = vec![
        chance(base64, BYTES),
        chance(letters, BYTES),
        chance(b"-=", BYTES),
        chance(b" \n\t", BYTES),
        chance(b"(){}[];,.:=!&|+-*/<>", BYTES),
        repeated("-----------+------------+-------\n", BYTES),
        repeated("for(e=0;e<t.length;e++)n[t[e]]=r(t[e],i);", BYTES),
        repeated("                    \n", BYTES),
    ];
    texts.extend(SIGNS.map(|sign| repeated(sign, BYTES)));
    texts
}

#[test]
fn any_text_takes_no_more_than_ten_times_the_steps_of_prose() {
    let learnt = learnt();
    for encoding in Encoding::ALL {
        let mut tokenizer = tokenizer(&learnt, encoding);
        let most = FACTOR * steps_per_byte(&mut tokenizer, &repeated(PROSE, BYTES));
        for text in known() {
            let steps = steps_per_byte(&mut tokenizer, &text);
            assert!(steps <= most, "{steps} of {most}: {:?}", &text[..60]);
        }
        for seed in 0..3 {
            let (steps, unit) = worst(&mut tokenizer, &mut Rng::with_seed(seed));
            assert!(steps <= most, "{steps} of {most}: {unit:?}");
            let once = steps_per_byte(&mut tokenizer, &repeated(&unit, 2 * BYTES));
            let twice = steps_per_byte(&mut tokenizer, &repeated(&unit, 4 * BYTES));
            assert!(twice <= 1.1 * once, "{twice} after {once}: {unit:?}");
        }
    }
}

#[test]
fn repeated_parts_have_the_tokens_that_byte_pair_encoding_gives() {
    let learnt = learnt();
    let mut tokenizer = tokenizer(&learnt, Encoding::Cl100k);
    let mut random = Rng::with_seed(9);
    // One piece each, whose ends are its own.
    let signs = ["-", "=", "#", "*", "-=", "--=", "=#*", "##*-", "中\u{301}-"];
    for _ in 0..3 {
        let unit: String = (0..3).map(|_| signs[random.usize(..signs.len())]).collect();
        let piece = repeated(&unit, random.usize(4300..5000));
        let piece = piece.replace('中', "-");
        let expected = by_the_book(piece.as_bytes(), &learnt.ranks);
        assert_eq!(tokenizer.encode(&piece), expected, "{unit:?}");
        assert_eq!(tokenizer.count(&piece), expected.len() as u64, "{unit:?}");
    }
}

#[test]
fn the_tokens_that_are_final_are_those_of_every_longer_piece() {
    for (mut random, tokenizer, learnt) in super::some_tokenizers(130) {
        let vocabulary = &tokenizer.encoder.vocabulary;
        let mut long = LongPiece::new();
        for _ in 0..8 {
            let piece = super::text(&mut random, 100);
            let bytes = long.settle(piece.as_bytes(), PieceEnd::Open, vocabulary);
            let tokens: Vec<u32> = long.tokens().collect();
            for _ in 0..3 {
                let whole = format!("{piece}{}", super::text(&mut random, 30));
                let expected = by_the_book(whole.as_bytes(), &learnt.ranks);
                assert_eq!(tokens, expected[..tokens.len()], "{piece:?} {whole:?}");
            }
            let length = |token: &u32| vocabulary.bytes(*token).unwrap().len();
            assert_eq!(bytes, tokens.iter().map(length).sum::<usize>());
        }
    }
}

#[test]
fn more_bytes_than_the_tokens_of_a_limit_can_have_exceed_it_without_a_step() {
    let learnt = learnt();
    let mut tokenizer = tokenizer(&learnt, Encoding::O200k);
    let text = "-".repeat(100_000);
    let taken = steps_of(|| assert_eq!(tokenizer.count_within(&text, 100), None));
    assert_eq!(taken, 0);
    let taken = steps_of(|| {
        let TextPrefix { bytes, tokens } = tokenizer.truncate(&text, 100);
        assert_eq!((bytes, tokens), (12_800, 100));
    });
    // Its characters are looked at a single time, and merged are no more than the limit takes.
    assert!(taken < text.len() as u64 + 40 * 12_800, "{taken}");
}

#[test]
fn fits_and_truncate_stop_within_a_piece() {
    let learnt = learnt();
    let mut random = Rng::with_seed(5);
    let letters: String = (0..12_800).map(|_| random.char('a'..='z')).collect();
    for encoding in Encoding::ALL {
        let mut tokenizer = tokenizer(&learnt, encoding);
        // A look at each character, and the merges of parts of 4,096 bytes.
        let most = |parts: u64| letters.len() as u64 + parts * 4096;
        let taken = steps_of(|| assert_eq!(tokenizer.count_within(&letters, 100), None));
        assert!(taken <= most(2), "{taken}");
        let mut kept = TextPrefix::default();
        let taken = steps_of(|| kept = tokenizer.truncate(&letters, 100));
        assert!(kept.tokens == 100 && kept.bytes < 1000, "{kept:?}");
        // Once to see that it does not fit, and once for the ends of its tokens.
        assert!(taken <= most(4), "{taken}");
    }
}

/// Characters of a text that is counted after each.
const COUNTED: usize = 3000;

/// Steps of a count after one more character: looks at what more text may change, and its merges.
const MOST: u64 = 6000;

/// The steps of counts after each character, for each third of the text.
fn steps_after_each_character(tokenizer: &mut Tokenizer, text: &str) -> [u64; 3] {
    let mut counter = ExactCounter::default();
    let mut taken = [0; 3];
    let mut end = 0;
    for (at, character) in text.chars().take(COUNTED).enumerate() {
        end += character.len_utf8();
        let mut count = 0;
        taken[at * 3 / COUNTED] += steps_of(|| {
            counter.add(character.encode_utf8(&mut [0; 4]), tokenizer);
            count = counter.count(tokenizer);
        });
        if at % 83 == 0 {
            assert_eq!(count, tokenizer.count(&text[..end]), "{:?}", &text[..end]);
        }
    }
    taken
}

#[test]
fn a_count_after_each_character_takes_as_many_steps_for_a_later_one() {
    let learnt = learnt();
    for encoding in Encoding::ALL {
        let mut tokenizer = tokenizer(&learnt, encoding);
        let mut texts = known();
        for unit in [
            PROSE, "a", "A", "a中", "- ", "\n", "-\n/", "é", "\u{301}", "\t", "\r\n",
        ] {
            texts.push(repeated(unit, BYTES));
        }
        for begin in ["中", " 中", "a中", "\u{301}", "\n", "a\r\n\t", "-\n"] {
            texts.push(format!("{begin}{}", "A".repeat(BYTES)));
            texts.push(format!("{begin}{}", " ".repeat(BYTES)));
            texts.push(format!("{begin}{}", "É ".repeat(BYTES)));
        }
        for text in texts {
            let taken = steps_after_each_character(&mut tokenizer, &text);
            assert!(10 * taken[2] <= 14 * taken[1], "{taken:?}: {text:.60?}");
        }
    }
}

#[test]
fn a_count_after_each_character_of_any_text_takes_no_more_than_so_many_steps() {
    let learnt = learnt();
    for (seed, encoding) in (0..).zip([Encoding::ALL; 2].concat()) {
        let mut tokenizer = tokenizer(&learnt, encoding);
        let mut random = Rng::with_seed(seed);
        for _ in 0..12 {
            // Beginnings, of which some decide later what a long run is.
            let begin = parts(&mut random).concat();
            let unit = parts(&mut random).concat();
            let text = format!("{begin}{}", repeated(&unit, 4 * COUNTED));
            let taken: u64 = steps_after_each_character(&mut tokenizer, &text)
                .iter()
                .sum();
            assert!(
                taken <= MOST * COUNTED as u64,
                "{taken}: {begin:?} {unit:?}"
            );
        }
    }
}

#[test]
fn a_piece_without_an_end_has_the_same_count_however_it_is_cut() {
    let learnt = learnt();
    for (at, encoding) in (0..).zip([Encoding::ALL; 12].concat()) {
        let mut tokenizer = tokenizer(&learnt, encoding);
        let mut random = Rng::with_seed(150 + at);
        let text: String = (0..6)
            .map(|_| repeated(&parts(&mut random).concat(), random.usize(1..1500)))
            .collect();
        let mut counter = ExactCounter::default();
        let mut end = 0;
        while end < text.len() {
            let begin = end;
            end = text.len().min(end + random.usize(1..200));
            while !text.is_char_boundary(end) {
                end += 1;
            }
            counter.add(&text[begin..end], &mut tokenizer);
            let count = counter.count(&mut tokenizer);
            assert_eq!(count, tokenizer.count(&text[..end]), "{:?}", &text[..end]);
        }
    }
}
