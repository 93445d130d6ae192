//! Text into tokens.

use super::class::Classes;
use super::file::{LoadError, Unpacked};
use super::long_piece::{LongPiece, PieceEnd};
use super::memo::{Memo, MemoKey};
use super::merge::Merge;
use super::scan::{OpenPiece, PieceScan};
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

/// The part of a text that more text cannot change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SettledPrefix {
    /// Its bytes.
    pub(super) bytes: usize,
    /// Its tokens.
    pub(super) tokens: u64,
    /// The piece that it ends within.
    pub(super) within: Option<OpenPiece>,
}

/// The settled part of a text: of one that ends in a piece with an early end on two suppositions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Settled {
    /// The part, if the piece goes on behind its early end.
    going_on: SettledPrefix,
    /// The kind of that piece, and the part, if it ended there.
    ended: Option<(OpenPiece, SettledPrefix)>,
}

impl Settled {
    /// Takes the bytes off that are settled on each supposition, and returns how many these are.
    pub(super) fn take_bytes(&mut self) -> usize {
        let mut bytes = self.going_on.bytes;
        if let Some((_, ended)) = &mut self.ended {
            bytes = bytes.min(ended.bytes);
            ended.bytes -= bytes;
        }
        self.going_on.bytes -= bytes;
        bytes
    }
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
    long: LongPiece,
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
                long: LongPiece::new(),
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

    /// Returns the number of tokens of a text of which a part is settled.
    pub(super) fn count_from(&mut self, text: &str, settled: &Settled) -> u64 {
        let mut scan = PieceScan::new(text, &self.classes);
        let from = match settled.ended {
            Some((open, ended)) => match scan.goes_on(open, ended.bytes) {
                Some(true) => settled.going_on,
                // All white space at the end of a text is one piece.
                None if open == OpenPiece::WhiteSpace && self.encoding == Encoding::Cl100k => {
                    settled.going_on
                }
                _ => ended,
            },
            None => settled.going_on,
        };
        let end = match from.within {
            Some(open) => scan.end_within(self.encoding, open, from.bytes),
            None => from.bytes,
        };
        let rest_of_piece = match from.within {
            Some(_) => self.encoder.piece(&text.as_bytes()[from.bytes..end]),
            None => 0,
        };
        from.tokens + rest_of_piece + self.count(&text[end..])
    }

    /// Returns the number of tokens of a text, if these are no more than `limit`: what is behind is not looked at,
    /// and where the bytes alone are too many, nothing is.
    pub fn count_within(&mut self, text: &str, limit: u64) -> Option<u64> {
        if !may_fit(text.len(), limit) {
            return None;
        }
        let mut tokens = 0;
        let mut scan = PieceScan::new(text, &self.classes);
        let mut at = 0;
        while at < text.len() {
            let end = scan.end(self.encoding, at);
            let piece = &text.as_bytes()[at..end];
            tokens += self.encoder.piece_within(piece, limit - tokens)?;
            at = end;
        }
        Some(tokens)
    }

    /// Settles more of a text: its tokens that no text behind can change, up to one that ends with a character.
    pub(super) fn settle(&mut self, text: &str, settled: &mut Settled) {
        if let Some((open, mut ended)) = settled.ended.take() {
            match PieceScan::new(text, &self.classes).goes_on(open, ended.bytes) {
                Some(true) => {}
                Some(false) => settled.going_on = ended,
                None => {
                    self.settle_open(text, open, &mut settled.going_on);
                    self.settle_pieces(text, &mut ended);
                    settled.ended = Some((open, ended));
                    return;
                }
            }
        }
        if let Some((open, early_end)) = self.settle_pieces(text, &mut settled.going_on) {
            let begin = settled.going_on;
            let piece = &text.as_bytes()[begin.bytes..early_end];
            let mut ended = SettledPrefix {
                bytes: early_end,
                tokens: begin.tokens + self.encoder.piece(piece),
                within: None,
            };
            self.settle_open(text, open, &mut settled.going_on);
            self.settle_pieces(text, &mut ended);
            settled.ended = Some((open, ended));
        }
    }

    /// Settles whole pieces, and of the one in which the text ends what is certain. Returns its kind and its early
    /// end, if it has one: then nothing of it is.
    fn settle_pieces(
        &mut self,
        text: &str,
        settled: &mut SettledPrefix,
    ) -> Option<(OpenPiece, usize)> {
        let mut scan = PieceScan::new(text, &self.classes);
        while settled.bytes < text.len() {
            let begin = settled.bytes;
            let end = match settled.within {
                Some(piece) => scan.end_within(self.encoding, piece, begin),
                None => scan.end(self.encoding, begin),
            };
            if scan.looked_beyond() {
                let open = scan.open(self.encoding, settled.within, begin)?;
                if let Some(early_end) = open.early_end {
                    return Some((open.at(begin), early_end));
                }
                self.encoder
                    .settle_first(&text[..open.end], settled, |at| open.at(at));
                return None;
            }
            settled.tokens += self.encoder.piece(&text.as_bytes()[begin..end]);
            settled.bytes = end;
            settled.within = None;
        }
        None
    }

    /// Settles what is certain of a piece, if all of the text belongs to it.
    fn settle_open(&mut self, text: &str, open: OpenPiece, settled: &mut SettledPrefix) {
        self.encoder.settle_first(text, settled, |_| open);
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
            let left = limit - kept.tokens;
            let piece = &text.as_bytes()[kept.bytes..end];
            match self.encoder.piece_within(piece, left) {
                Some(tokens) => kept.tokens += tokens,
                None => return self.within_piece(text, kept, end, limit),
            }
            kept.bytes = end;
        }
    }

    /// The part that keeps to a limit in the piece behind `kept`, which does not fit as a whole.
    fn within_piece(&mut self, text: &str, kept: TextPrefix, end: usize, limit: u64) -> TextPrefix {
        let mut ids = Vec::new();
        let room = usize::try_from(limit - kept.tokens).unwrap_or(usize::MAX);
        self.encoder
            .encode(&text.as_bytes()[kept.bytes..end], room, &mut ids);
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
            let piece = &text.as_bytes()[at..end];
            self.encoder.encode(piece, usize::MAX, &mut tokens);
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
            return self.parts(piece, u64::MAX);
        };
        if let Some(tokens) = self.memo.get(&key) {
            return u64::from(tokens);
        }
        let tokens = self.parts(piece, u64::MAX);
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

    /// Returns the number of tokens of a piece, if these are no more than `limit`: what is behind is not merged.
    fn piece_within(&mut self, piece: &[u8], limit: u64) -> Option<u64> {
        if !may_fit(piece.len(), limit) {
            return None;
        }
        let tokens = match MemoKey::of(piece) {
            // All that is short enough to be kept has few tokens.
            Some(_) => self.piece(piece),
            None if self.whole(piece) != NONE => 1,
            None => self.parts(piece, limit),
        };
        (tokens <= limit).then_some(tokens)
    }

    /// Returns the number of tokens of a piece that is not itself a token; of more than `limit` so many that they
    /// exceed it.
    #[inline(never)]
    fn parts(&mut self, piece: &[u8], limit: u64) -> u64 {
        self.vocabulary.expect_merges(piece.len());
        if let Some(tokens) = self.merge.run(piece, &self.vocabulary) {
            return tokens as u64;
        }
        let (mut at, mut tokens) = (0, 0);
        while at < piece.len() && tokens <= limit {
            at += self
                .long
                .settle(&piece[at..], PieceEnd::Known, &self.vocabulary);
            tokens += self.long.tokens().count() as u64;
        }
        tokens
    }

    /// Adds the tokens of a piece; of one that is long, no more than `most` and those of one part.
    fn encode(&mut self, piece: &[u8], most: usize, tokens: &mut Vec<u32>) {
        match piece {
            [] => {}
            [byte] => tokens.push(self.vocabulary.single(*byte)),
            _ => match self.whole(piece) {
                NONE => {
                    self.vocabulary.expect_merges(piece.len());
                    match self.merge.run(piece, &self.vocabulary) {
                        Some(_) => tokens.extend(self.merge.tokens()),
                        None => self.encode_long(piece, most, tokens),
                    }
                }
                token => tokens.push(token),
            },
        }
    }

    fn encode_long(&mut self, piece: &[u8], most: usize, tokens: &mut Vec<u32>) {
        let enough = tokens.len().saturating_add(most);
        let mut at = 0;
        while at < piece.len() && tokens.len() < enough {
            at += self
                .long
                .settle(&piece[at..], PieceEnd::Known, &self.vocabulary);
            tokens.extend(self.long.tokens());
        }
    }

    /// Settles the tokens of a piece with an open end that nothing behind can change, up to the last one that ends
    /// with a character.
    fn settle_first(
        &mut self,
        text: &str,
        settled: &mut SettledPrefix,
        open_at: impl Fn(usize) -> OpenPiece,
    ) {
        let (mut at, mut tokens) = (settled.bytes, settled.tokens);
        loop {
            let rest = &text.as_bytes()[at..];
            if self.long.settle(rest, PieceEnd::Open, &self.vocabulary) == 0 {
                return;
            }
            for token in self.long.tokens() {
                at += self.vocabulary.bytes(token).map_or(0, <[u8]>::len);
                tokens += 1;
                if text.is_char_boundary(at) {
                    *settled = SettledPrefix {
                        bytes: at,
                        tokens,
                        within: Some(open_at(at)),
                    };
                }
            }
        }
    }
}

/// Returns whether so many bytes may be no more than so many tokens.
fn may_fit(bytes: usize, tokens: u64) -> bool {
    bytes as u64 <= tokens.saturating_mul(LONGEST as u64)
}

#[cfg(test)]
#[path = "tokenizer_tests.rs"]
mod tests;
