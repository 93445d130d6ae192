//! The content of the files of objects: a piece, compressed, and the list of the pieces of a longer
//! content.

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::name::{ObjectForm, ObjectName};
use crate::digest::{digest, sha256};

/// Bytes of a piece; the last one of a content may have fewer.
pub const PIECE_BYTES: u32 = 1 << 20;

/// The most pieces of a content, which is 128 GiB.
pub(super) const MAX_PIECES: u64 = 1 << 17;

/// No stored object is larger: what cannot be compressed grows by a thousandth, and a list has a line for
/// each piece.
pub(super) const MAX_STORED: u32 = 16 << 20;

/// The fastest, because the writer of a snapshot waits for it.
const LEVEL: u8 = 1;

const TITLE: &str = "milepost-pieces 1";

/// Not compressed at all, in the same format.
const STORED: u8 = 0;

/// The size of the parts of a piece, from its beginning, its middle and its end, that show whether
/// it gets smaller.
const SAMPLE: usize = 8 << 10;

pub(super) fn packed(piece: &[u8]) -> Vec<u8> {
    let level = match gets_smaller(piece) {
        true => LEVEL,
        false => STORED,
    };
    compress_to_vec_zlib(piece, level)
}

/// Returns whether compressing is worth its time: pictures and archives are compressed already.
fn gets_smaller(piece: &[u8]) -> bool {
    let last = piece.len().saturating_sub(SAMPLE);
    // Trying takes less than a tenth of doing it.
    if last < 30 * SAMPLE {
        return true;
    }
    let samples = [0, last / 2, last].map(|from| &piece[from..from + SAMPLE]);
    let packed = samples.map(|sample| compress_to_vec_zlib(sample, LEVEL).len());
    let saved = (3 * SAMPLE).saturating_sub(packed.iter().sum());
    // Less than a thirtieth is not worth it.
    saved * 30 > 3 * SAMPLE
}

/// The piece of this name; `None` where the file holds anything else.
pub(super) fn piece(name: ObjectName, stored: &[u8]) -> Option<Vec<u8>> {
    let piece = decompress_to_vec_zlib_with_limit(stored, PIECE_BYTES as usize).ok()?;
    (sha256(&piece) == name.sha256()).then_some(piece)
}

/// The pieces of a content, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct List {
    pub(super) size: u64,
    pub(super) pieces: Vec<ObjectName>,
}

impl List {
    /// The text: the size, a line for each piece, and a digest of all this, by which a damaged list shows.
    pub(super) fn to_text(&self, name: ObjectName) -> String {
        let mut text = format!("{TITLE}\n{}\n{}\n", name.sha256(), self.size);
        for piece in &self.pieces {
            text.push_str(&piece.sha256());
            text.push('\n');
        }
        let seal = digest(&[text.as_bytes()]);
        text + &seal + "\n"
    }

    /// The list of this name; `None` where the file holds anything else.
    pub(super) fn of_text(name: ObjectName, stored: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(stored).ok()?;
        let (body, seal) = text.strip_suffix('\n')?.rsplit_once('\n')?;
        if seal != digest(&[body.as_bytes(), b"\n"]) {
            return None;
        }
        let mut lines = body.split('\n');
        if lines.next()? != TITLE || lines.next()? != name.sha256() {
            return None;
        }
        let size: u64 = lines.next()?.parse().ok()?;
        let pieces: Option<Vec<ObjectName>> = lines
            .map(|it| ObjectName::new(it, ObjectForm::Piece))
            .collect();
        let list = List {
            size,
            pieces: pieces?,
        };
        let count = size.div_ceil(PIECE_BYTES.into());
        (count == list.pieces.len() as u64).then_some(list)
    }
}

/// Returns whether the content of a stored object matches its name. Of a list the pieces are not
/// looked at.
pub(super) fn is_whole(name: ObjectName, stored: &[u8]) -> bool {
    match name.form() {
        ObjectForm::Piece => piece(name, stored).is_some(),
        ObjectForm::List => List::of_text(name, stored).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        List, MAX_PIECES, MAX_STORED, ObjectForm, ObjectName, PIECE_BYTES, is_whole, packed, piece,
    };
    use crate::digest::sha256;

    fn name(bytes: &[u8], form: ObjectForm) -> ObjectName {
        ObjectName::new(&sha256(bytes), form).unwrap()
    }

    #[test]
    fn any_change_of_a_stored_piece_is_seen() {
        for bytes in [&b""[..], b"x", &b"many times the same ".repeat(50)] {
            let (name, stored) = (name(bytes, ObjectForm::Piece), packed(bytes));
            assert_eq!(piece(name, &stored).as_deref(), Some(bytes));
            for at in 0..stored.len() {
                let mut damaged = stored.clone();
                damaged[at] ^= 0x55;
                let read = piece(name, &damaged);
                assert!(read.is_none_or(|it| it == bytes), "byte {at}");
                assert!(!is_whole(name, &stored[..at]), "cut at {at}");
            }
        }
        let other = packed(b"y");
        assert!(!is_whole(name(b"x", ObjectForm::Piece), &other));
    }

    #[test]
    fn a_piece_is_compressed_only_if_that_makes_it_smaller() {
        let _run =
            milepost_property::seed("a piece is compressed only if that makes it smaller", 4);
        let mut chance = fastrand::Rng::with_seed(4);
        let mut mixed = |noise: usize| -> Vec<u8> {
            let text = b"what a file says again and again\n".iter().cycle();
            let noise = std::iter::repeat_with(|| chance.u8(..)).take(noise);
            let text = text.copied().take(PIECE_BYTES as usize);
            noise.chain(text).take(PIECE_BYTES as usize).collect()
        };
        let whole = PIECE_BYTES as usize;
        for (noise, least, most) in [
            (0, 0, whole / 20),
            (whole / 3, whole / 3, whole / 2),
            (whole, whole, whole + whole / 1000),
        ] {
            let piece_bytes = mixed(noise);
            let stored = packed(&piece_bytes);
            assert!(
                (least..=most).contains(&stored.len()),
                "{noise}: {}",
                stored.len()
            );
            let name = name(&piece_bytes, ObjectForm::Piece);
            assert!(piece(name, &stored).is_some_and(|it| it == piece_bytes));
        }
    }

    #[test]
    fn a_piece_that_claims_to_be_huge_takes_no_more_memory_than_a_piece() {
        let huge = packed(&vec![0; 3 * PIECE_BYTES as usize]);
        let name = name(&vec![0; 3 * PIECE_BYTES as usize], ObjectForm::Piece);
        assert_eq!(piece(name, &huge), None);
    }

    #[test]
    fn any_change_of_a_list_is_seen() {
        let list = List {
            size: u64::from(PIECE_BYTES) + 1,
            pieces: vec![name(b"a", ObjectForm::Piece), name(b"b", ObjectForm::Piece)],
        };
        let whole = name(b"ab", ObjectForm::List);
        let text = list.to_text(whole).into_bytes();
        assert_eq!(List::of_text(whole, &text), Some(list.clone()));
        for at in 0..text.len() {
            let mut damaged = text.clone();
            damaged[at] ^= 1;
            assert!(!is_whole(whole, &damaged), "byte {at}");
            assert!(!is_whole(whole, &text[..at]), "cut at {at}");
        }
        assert!(!is_whole(name(b"x", ObjectForm::List), &text));
        let fewer = List { size: 1, ..list };
        let text = fewer.to_text(whole);
        assert!(
            !is_whole(whole, text.as_bytes()),
            "too many pieces for its size"
        );
    }

    #[test]
    fn the_largest_objects_can_be_read_again() {
        let _run = milepost_property::seed("the largest objects can be read again", 3);
        let mut chance = fastrand::Rng::with_seed(3);
        let noise: Vec<u8> = (0..PIECE_BYTES).map(|_| chance.u8(..)).collect();
        assert!(packed(&noise).len() < MAX_STORED as usize);
        assert!((MAX_PIECES + 4) * 65 < MAX_STORED.into());
    }
}
