use std::collections::HashMap;

use fastrand::Rng;

use super::super::ExactCounter;
use super::super::vocabulary::Vocabulary;
use super::{Encoding, TextPrefix, Tokenizer};

#[path = "bounded_tests.rs"]
mod bounded;

/// A vocabulary that byte pair encoding learnt from a text by chance, and the ranks as `tiktoken` has them.
struct Learnt {
    planes: Vec<u8>,
    ranks: HashMap<Vec<u8>, u32>,
}

/// Texts in which the same comes again, as in languages.
fn text(random: &mut Rng, parts: usize) -> String {
    const PARTS: [&str; 32] = [
        "a",
        "b",
        "ab",
        "aab",
        "the",
        "ing",
        "A",
        "Bc",
        "é",
        "ß",
        "中",
        "文中",
        "漢字",
        "字",
        "漢",
        "の",
        "😀",
        "😁",
        "🚒🚒",
        "⚠\u{FE0F}",
        "👩\u{200D}🚒",
        " ",
        "  ",
        "\n",
        "\r\n",
        "1",
        "23",
        "'s",
        "...",
        "---",
        "/",
        "\0",
    ];
    // Of many characters that share their first bytes, some tokens have a part.
    const ALIKE: [char; 2] = ['あ', '😀'];
    let parts = random.usize(1..=parts);
    let alike = random.u8(..4);
    let one = |_| {
        if random.u8(..4) < alike {
            let first = ALIKE[random.usize(..2)] as u32;
            let character = char::from_u32(first + random.u32(..30));
            return character.unwrap().to_string();
        }
        PARTS[random.usize(..PARTS.len())].to_owned()
    };
    (0..parts).map(one).collect()
}

/// No token is made of two pieces.
fn learn(random: &mut Rng, pieces: &[&str], merges: usize) -> Learnt {
    let mut order: Vec<u8> = (0..=255).collect();
    random.shuffle(&mut order);
    let mut tokens: Vec<Vec<u8>> = order.iter().map(|byte| vec![*byte]).collect();
    let id_of = |byte: &u8| order.iter().position(|one| one == byte).unwrap() as u32;
    const END: u32 = u32::MAX;
    let of_piece = |piece: &&str| -> Vec<u32> {
        let ids = piece.as_bytes().iter().map(id_of);
        ids.chain([END]).collect()
    };
    let mut ids: Vec<u32> = pieces.iter().flat_map(of_piece).collect();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for _ in 0..merges {
        let mut seen: HashMap<(u32, u32), usize> = HashMap::new();
        for two in ids.windows(2).filter(|two| !two.contains(&END)) {
            let long = tokens[two[0] as usize].len() + tokens[two[1] as usize].len();
            if long <= 128 {
                *seen.entry((two[0], two[1])).or_default() += 1;
            }
        }
        let Some((pair, _)) = seen.into_iter().max_by_key(|(pair, times)| (*times, *pair)) else {
            break;
        };
        let made = [
            tokens[pair.0 as usize].clone(),
            tokens[pair.1 as usize].clone(),
        ]
        .concat();
        if tokens.contains(&made) {
            // Such a one would have two ways to be made.
            break;
        }
        let id = tokens.len() as u32;
        tokens.push(made);
        pairs.push(pair);
        let mut merged = Vec::new();
        let mut at = 0;
        while at < ids.len() {
            if ids.get(at + 1).is_some_and(|next| (ids[at], *next) == pair) {
                merged.push(id);
                at += 2;
            } else {
                merged.push(ids[at]);
                at += 1;
            }
        }
        ids = merged;
    }
    let mut planes = order;
    for side in [|pair: &(u32, u32)| pair.0, |pair: &(u32, u32)| pair.1] {
        for shift in [16, 8, 0] {
            planes.extend(pairs.iter().map(|pair| (side(pair) >> shift) as u8));
        }
    }
    let ranks = tokens.into_iter().zip(0..).collect();
    Learnt { planes, ranks }
}

/// Byte pair encoding as it is defined, and no faster.
fn by_the_book(piece: &[u8], ranks: &HashMap<Vec<u8>, u32>) -> Vec<u32> {
    let mut parts: Vec<&[u8]> = piece.chunks(1).collect();
    loop {
        let rank = |at: &usize| {
            let both = [parts[*at], parts[at + 1]].concat();
            ranks.get(&both).copied().unwrap_or(u32::MAX)
        };
        let lowest = (0..parts.len().saturating_sub(1)).min_by_key(rank);
        match lowest.filter(|at| rank(at) != u32::MAX) {
            Some(at) => {
                let begin = parts[..at].iter().map(|part| part.len()).sum::<usize>();
                let end = begin + parts[at].len() + parts[at + 1].len();
                parts.splice(at..at + 2, [&piece[begin..end]]);
            }
            None => return parts.iter().map(|part| ranks[*part]).collect(),
        }
    }
}

fn some_tokenizers(seed: u64) -> impl Iterator<Item = (Rng, Tokenizer, Learnt)> {
    (0..12).map(move |at| {
        let mut random = Rng::with_seed(seed + at);
        let merges = random.usize(20..400);
        let text = (0..40).map(|_| text(&mut random, 40)).collect::<String>();
        let learnt = learn(&mut random, &[&text], merges);
        let tokenizer = tokenizer(&learnt, Encoding::ALL[at as usize % 2]);
        (random, tokenizer, learnt)
    })
}

fn tokenizer(learnt: &Learnt, encoding: Encoding) -> Tokenizer {
    let bytes = learnt.ranks.keys().map(Vec::len).sum();
    let vocabulary = Vocabulary::of(learnt.planes.clone(), bytes);
    Tokenizer::with(vocabulary, encoding)
}

#[test]
fn a_text_has_the_tokens_that_byte_pair_encoding_gives_its_pieces() {
    for (mut random, mut tokenizer, learnt) in some_tokenizers(10) {
        for _ in 0..300 {
            let text = text(&mut random, 90);
            let mut expected = Vec::new();
            let mut scan = super::PieceScan::new(&text, &tokenizer.classes);
            let mut at = 0;
            while at < text.len() {
                let end = scan.end(tokenizer.encoding, at);
                expected.extend(by_the_book(&text.as_bytes()[at..end], &learnt.ranks));
                at = end;
            }
            assert_eq!(tokenizer.encode(&text), expected, "{text:?}");
            assert_eq!(tokenizer.count(&text), expected.len() as u64, "{text:?}");
            // From the memo.
            assert_eq!(tokenizer.count(&text), expected.len() as u64, "{text:?}");
            assert_eq!(tokenizer.decode(expected), Ok(text.into_bytes()));
        }
    }
}

#[test]
fn two_tokens_make_the_same_one_before_and_after_their_table_is_there() {
    for (mut random, mut tokenizer, learnt) in some_tokenizers(110) {
        let vocabulary = &tokenizer.encoder.vocabulary;
        let ids = 0..learnt.ranks.len() as u32;
        // Those that make one; two with the bytes of one that others make; and any two.
        let mut pairs: Vec<_> = ids.clone().map(|id| vocabulary.made_of(id)).collect();
        for (token, at) in learnt
            .ranks
            .keys()
            .flat_map(|it| (1..it.len()).map(move |at| (it, at)))
        {
            let halves = [&token[..at], &token[at..]].map(|half| learnt.ranks.get(half));
            if let [Some(left), Some(right)] = halves {
                pairs.push((*left, *right));
            }
        }
        pairs.extend((0..2000).map(|_| (random.u32(ids.clone()), random.u32(ids.clone()))));
        let all = |vocabulary: &Vocabulary| -> Vec<u32> {
            let made = |pair: &(u32, u32)| vocabulary.pair(pair.0, pair.1);
            pairs.iter().map(made).collect()
        };
        let before = all(vocabulary);
        assert!((256..ids.end).all(|id| before[id as usize] == id));
        tokenizer.encoder.vocabulary.expect_merges(usize::MAX);
        for ((pair, before), after) in pairs
            .iter()
            .zip(before)
            .zip(all(&tokenizer.encoder.vocabulary))
        {
            assert_eq!(before, after, "{pair:?}");
        }
    }
}

#[test]
fn a_long_piece_has_the_tokens_that_byte_pair_encoding_gives() {
    for (mut random, mut tokenizer, learnt) in some_tokenizers(30) {
        for _ in 0..12 {
            let piece: String = text(&mut random, 600);
            let letters = |one: &char| one.is_alphabetic() && one.is_lowercase();
            let piece: String = piece.chars().filter(letters).collect();
            let expected = by_the_book(piece.as_bytes(), &learnt.ranks);
            assert_eq!(tokenizer.encode(&piece), expected, "{piece:?}");
            assert_eq!(tokenizer.count(&piece), expected.len() as u64, "{piece:?}");
        }
    }
}

#[test]
fn a_cut_text_keeps_to_the_limit_and_ends_at_a_token_and_a_character() {
    for (mut random, mut tokenizer, _) in some_tokenizers(50) {
        for _ in 0..200 {
            let text = text(&mut random, 40);
            let all = tokenizer.count(&text);
            let limit = random.u64(..=all + 2);
            let TextPrefix { bytes, tokens } = tokenizer.truncate(&text, limit);
            assert_eq!(tokenizer.count(&text[..bytes]), tokens);
            assert!(tokens <= limit);
            let mut ends = vec![0];
            for token in tokenizer.encode(&text) {
                let last = *ends.last().unwrap();
                ends.push(last + tokenizer.decode([token]).unwrap().len());
            }
            assert!(ends.contains(&bytes), "{text:?} {limit}");
            // No longer one would have kept to it.
            for end in ends
                .into_iter()
                .filter(|end| *end > bytes && text.is_char_boundary(*end))
            {
                let more = tokenizer.count(&text[..end]);
                assert!(
                    more > limit || tokens == limit,
                    "{text:?} {limit} {bytes} {end}"
                );
            }
            assert_eq!(tokenizer.count_within(&text, all), Some(all));
            if let Some(less) = all.checked_sub(1) {
                assert_eq!(tokenizer.count_within(&text, less), None);
            }
        }
    }
}

#[test]
fn a_text_in_parts_has_the_same_count_however_it_is_cut() {
    for (mut random, mut tokenizer, _) in some_tokenizers(70) {
        for most in [30, 3000] {
            let text: String = (0..12).map(|_| text(&mut random, most)).collect();
            let whole = tokenizer.count(&text);
            let mut counter = ExactCounter::default();
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let mut end = random.usize(1..=rest.len().min(2 * most));
                while !rest.is_char_boundary(end) {
                    end += 1;
                }
                counter.add(&rest[..end], &mut tokenizer);
                rest = &rest[end..];
                let so_far = &text[..text.len() - rest.len()];
                if random.u8(..8) == 0 {
                    assert_eq!(counter.count(&mut tokenizer), tokenizer.count(so_far));
                    // And with what is not added yet.
                    assert_eq!(counter.count_with(rest, &mut tokenizer), whole);
                }
            }
            assert_eq!(counter.count(&mut tokenizer), whole);
        }
    }
}

#[test]
fn an_unknown_token_is_named_by_its_place() {
    let (_, tokenizer, learnt) = some_tokenizers(90).next().unwrap();
    let unknown = learnt.ranks.len() as u32;
    assert_eq!(tokenizer.decode([0, 1, unknown, 2]), Err(2));
    assert_eq!(tokenizer.decode([u32::MAX]), Err(0));
}
