//! Text into tokens.

use super::backtrack;
use super::class::Classes;
use super::file::{LoadError, Unpacked};
use super::memo::{Memo, MemoKey};
use super::merge::Merge;
use super::scan::PieceScan;
use super::token::NONE;
use super::vocabulary::{LONGEST, Vocabulary};
use crate::encoding::Encoding;

/// The part of a text that keeps to a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextPrefix {
    /// Its bytes.
    pub bytes: usize,
    /// Its tokens.
    pub tokens: u64,
}

/// Counts and encodes text, with the vocabulary of one encoding.
pub struct Tokenizer {
    encoding: Encoding,
    classes: Classes,
    encoder: Encoder,
}

/// Counts and encodes pieces.
struct Encoder {
    vocabulary: Vocabulary,
    memo: Memo,
    merge: Merge,
    /// The tokens of a long piece.
    tokens: Vec<u32>,
}

impl Tokenizer {
    /// Reads the file of a vocabulary.
    pub fn load(file: &[u8], encoding: Encoding) -> Result<Self, LoadError> {
        Unpacked::read(file, encoding).map(Tokenizer::of)
    }

    /// Makes the tables of a vocabulary that was read.
    pub fn of(unpacked: Unpacked) -> Self {
        let vocabulary = Vocabulary::of(unpacked.planes, unpacked.bytes);
        Tokenizer::with(vocabulary, unpacked.encoding)
    }

    fn with(vocabulary: Vocabulary, encoding: Encoding) -> Self {
        Tokenizer {
            encoding,
            classes: Classes::new(),
            encoder: Encoder {
                vocabulary,
                memo: Memo::new(),
                merge: Merge::new(),
                tokens: Vec::new(),
            },
        }
    }

    /// Returns the number of tokens of a text.
    pub fn count(&mut self, text: &str) -> u64 {
        let mut scan = PieceScan::new(text, &self.classes);
        match self.encoding {
            Encoding::O200k => self.encoder.count(text, &mut scan, Encoding::O200k),
            Encoding::Cl100k => self.encoder.count(text, &mut scan, Encoding::Cl100k),
        }
    }

    /// Returns the number of tokens of a text, if these are no more than `limit`: what is behind is not looked at.
    pub fn count_within(&mut self, text: &str, limit: u64) -> Option<u64> {
        let mut tokens = 0;
        let mut scan = PieceScan::new(text, &self.classes);
        let mut at = 0;
        while at < text.len() {
            let end = scan.end(self.encoding, at);
            tokens += self.encoder.piece(&text.as_bytes()[at..end]);
            if tokens > limit {
                return None;
            }
            at = end;
        }
        Some(tokens)
    }

    /// The number of tokens of the pieces that no text behind can change, and where they end.
    pub(super) fn count_settled(&mut self, text: &str) -> TextPrefix {
        let mut kept = TextPrefix::default();
        let mut scan = PieceScan::new(text, &self.classes);
        while kept.bytes < text.len() {
            let end = scan.end(self.encoding, kept.bytes);
            if scan.looked_beyond() {
                break;
            }
            kept.tokens += self.encoder.piece(&text.as_bytes()[kept.bytes..end]);
            kept.bytes = end;
        }
        kept
    }

    /// The longest beginning of a text that has at most `limit` tokens, ends where a token of the text ends, and
    /// leaves no half character.
    pub fn truncate(&mut self, text: &str, limit: u64) -> TextPrefix {
        let mut kept = TextPrefix::default();
        let mut scan = PieceScan::new(text, &self.classes);
        loop {
            if kept.bytes == text.len() {
                return kept;
            }
            let end = scan.end(self.encoding, kept.bytes);
            let tokens = self.encoder.piece(&text.as_bytes()[kept.bytes..end]);
            if kept.tokens + tokens > limit {
                return self.within_piece(text, kept, end, limit);
            }
            kept.tokens += tokens;
            kept.bytes = end;
        }
    }

    /// The part that keeps to a limit in the piece behind `kept`, which does not fit as a whole.
    fn within_piece(&mut self, text: &str, kept: TextPrefix, end: usize, limit: u64) -> TextPrefix {
        let mut ids = Vec::new();
        self.encoder
            .encode(&text.as_bytes()[kept.bytes..end], &mut ids);
        let room = usize::try_from(limit - kept.tokens).unwrap_or(usize::MAX);
        let mut ends = Vec::with_capacity(room.min(ids.len()));
        let mut at = kept.bytes;
        for id in ids.into_iter().take(room) {
            at += self.encoder.vocabulary.bytes(id).map_or(0, <[u8]>::len);
            ends.push(at);
        }
        // Cut off, a text may fall into other pieces than before.
        let fits = |end: &usize| text.is_char_boundary(*end);
        for end in ends.into_iter().rev().filter(fits) {
            if let Some(tokens) = self.count_within(&text[..end], limit) {
                return TextPrefix { bytes: end, tokens };
            }
        }
        match self.count_within(&text[..kept.bytes], limit) {
            Some(tokens) => TextPrefix { tokens, ..kept },
            None => self.truncate(&text[..kept.bytes], limit),
        }
    }

    /// The tokens of a text.
    pub fn encode(&mut self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        let mut scan = PieceScan::new(text, &self.classes);
        let mut at = 0;
        while at < text.len() {
            let end = scan.end(self.encoding, at);
            self.encoder.encode(&text.as_bytes()[at..end], &mut tokens);
            at = end;
        }
        tokens
    }

    /// The bytes of tokens, or the place of the first one that there is not.
    pub fn decode(&self, tokens: impl IntoIterator<Item = u32>) -> Result<Vec<u8>, usize> {
        let mut bytes = Vec::new();
        for (at, token) in tokens.into_iter().enumerate() {
            bytes.extend(self.encoder.vocabulary.bytes(token).ok_or(at)?);
        }
        Ok(bytes)
    }
}

impl Encoder {
    /// Made once for each encoding, which is known there.
    #[inline(always)]
    fn count(&mut self, text: &str, scan: &mut PieceScan<'_>, encoding: Encoding) -> u64 {
        let (mut at, mut tokens) = (0, 0);
        while at < text.len() {
            let end = scan.end(encoding, at);
            tokens += self.piece(&text.as_bytes()[at..end]);
            at = end;
        }
        tokens
    }

    /// Returns the number of tokens of a piece.
    #[inline(always)]
    fn piece(&mut self, piece: &[u8]) -> u64 {
        if piece.len() < 2 || self.whole(piece) != NONE {
            return 1;
        }
        let Some(key) = MemoKey::of(piece) else {
            return self.parts(piece);
        };
        if let Some(tokens) = self.memo.get(&key) {
            return u64::from(tokens);
        }
        let tokens = self.parts(piece);
        self.memo.put(&key, tokens as u32);
        tokens
    }

    /// The token that a piece is, or [`NONE`].
    #[inline(always)]
    fn whole(&self, piece: &[u8]) -> u32 {
        if piece.len() > LONGEST {
            return NONE;
        }
        self.vocabulary.find(piece)
    }

    /// Returns the number of tokens of a piece that is not itself a token.
    #[inline(never)]
    fn parts(&mut self, piece: &[u8]) -> u64 {
        self.vocabulary.expect_merges(piece.len());
        if let Some(tokens) = self.merge.run(piece, &self.vocabulary) {
            return tokens as u64;
        }
        self.tokens.clear();
        backtrack::encode(piece, &self.vocabulary, &mut self.tokens);
        self.tokens.len() as u64
    }

    /// The tokens of a piece.
    fn encode(&mut self, piece: &[u8], tokens: &mut Vec<u32>) {
        match piece {
            [] => {}
            [byte] => tokens.push(self.vocabulary.single(*byte)),
            _ => match self.whole(piece) {
                NONE => {
                    self.vocabulary.expect_merges(piece.len());
                    match self.merge.run(piece, &self.vocabulary) {
                        Some(_) => tokens.extend(self.merge.tokens()),
                        None => backtrack::encode(piece, &self.vocabulary, tokens),
                    }
                }
                token => tokens.push(token),
            },
        }
    }
}

#[cfg(test)]
#[path = "tokenizer_tests.rs"]
mod tests;
