//! The exports of exact token counts. It imports no host: the package brings a vocabulary, once.
//!
//! An encoding is a number, its place in [`Encoding::ALL`]. One that was not loaded counts as NaN.

use std::cell::{Cell, RefCell};

use wasm_bindgen::prelude::wasm_bindgen;

use crate::encoding::{Encoding, ExactCounter, LoadError, Tokenizer, Unpacked};

use super::INPUT;

thread_local! {
    static TOKENIZERS: RefCell<[Option<Tokenizer>; 2]> = const { RefCell::new([None, None]) };
    static COUNTERS: RefCell<Vec<Option<ExactCounter>>> = const { RefCell::new(Vec::new()) };
    static KEPT_BYTES: Cell<usize> = const { Cell::new(0) };
    static IDS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    static DECODED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Takes the vocabulary in the first `length` bytes of the buffer, which is given back. Returns 0, or the reason of a
/// refusal: 1 damaged or something else, 2 of another version, 3 of another encoding.
#[wasm_bindgen]
pub fn load(encoding: usize, length: usize) -> u32 {
    let Some(named) = Encoding::ALL.get(encoding) else {
        return 3;
    };
    let unpacked = INPUT.with_borrow(|input| Unpacked::read(input.bytes(length), *named));
    // Its memory becomes that of the tables.
    INPUT.take();
    match unpacked {
        Ok(unpacked) => {
            let tokenizer = Tokenizer::of(unpacked);
            TOKENIZERS.with_borrow_mut(|all| all[encoding] = Some(tokenizer));
            0
        }
        Err(LoadError::Damaged) => 1,
        Err(LoadError::OtherVersion) => 2,
        Err(LoadError::OtherEncoding) => 3,
    }
}

/// Returns the number of tokens of the text in the first `length` bytes of the buffer.
#[wasm_bindgen]
pub fn count(encoding: usize, length: usize) -> f64 {
    of_text(encoding, length, |tokenizer, text| {
        tokenizer.count(text) as f64
    })
    .unwrap_or(f64::NAN)
}

/// Returns the number of tokens if it is at most `limit`, and else infinity, as soon as that is known.
#[wasm_bindgen]
pub fn count_within(encoding: usize, length: usize, limit: f64) -> f64 {
    of_text(encoding, length, |tokenizer, text| {
        let tokens = tokenizer.count_within(text, limit as u64);
        tokens.map_or(f64::INFINITY, |tokens| tokens as f64)
    })
    .unwrap_or(f64::NAN)
}

/// Returns the number of UTF-16 code units of the text in the buffer that keep to `limit` tokens.
#[wasm_bindgen]
pub fn truncate(encoding: usize, length: usize, limit: f64) -> f64 {
    of_text(encoding, length, |tokenizer, text| {
        let kept = tokenizer.truncate(text, limit as u64);
        KEPT_BYTES.set(kept.bytes);
        text[..kept.bytes].encode_utf16().count() as f64
    })
    .unwrap_or(f64::NAN)
}

/// Returns the number of bytes that the latest call of [`truncate`] kept.
#[wasm_bindgen]
pub fn truncated_bytes() -> f64 {
    KEPT_BYTES.get() as f64
}

/// Encodes the text in the buffer. Returns how many tokens it has, which lie at [`ids`].
#[wasm_bindgen]
pub fn encode(encoding: usize, length: usize) -> f64 {
    of_text(encoding, length, |tokenizer, text| {
        IDS.with_borrow_mut(|ids| {
            *ids = tokenizer.encode(text);
            ids.len() as f64
        })
    })
    .unwrap_or(f64::NAN)
}

/// Returns the address of the tokens of the latest [`encode`], four bytes each.
#[wasm_bindgen]
pub fn ids() -> *const u32 {
    IDS.with_borrow(Vec::as_ptr)
}

/// Decodes the `count` tokens in the buffer, four bytes each. Returns how many bytes they have, which lie at
/// [`decoded`]; or, below zero, the place of the first one that is unknown, counted from -1 down.
#[wasm_bindgen]
pub fn decode(encoding: usize, count: usize) -> f64 {
    let decoded = INPUT.with_borrow(|input| {
        let ids = input.bytes(4 * count).chunks_exact(4);
        let ids = ids.map(|id| u32::from_le_bytes([id[0], id[1], id[2], id[3]]));
        with(encoding, |tokenizer| tokenizer.decode(ids))
    });
    match decoded {
        Some(Ok(bytes)) => DECODED.with_borrow_mut(|decoded| {
            *decoded = bytes;
            decoded.len() as f64
        }),
        Some(Err(at)) => -1.0 - at as f64,
        None => f64::NAN,
    }
}

/// Returns the address of the bytes of the latest [`decode`].
#[wasm_bindgen]
pub fn decoded() -> *const u8 {
    DECODED.with_borrow(Vec::as_ptr)
}

/// Begins to count a text that comes in parts. Returns the number of the counter.
#[wasm_bindgen]
pub fn counter_new() -> usize {
    COUNTERS.with_borrow_mut(|all| {
        let free = all.iter().position(Option::is_none);
        let at = free.unwrap_or(all.len());
        if free.is_none() {
            all.push(None);
        }
        all[at] = Some(ExactCounter::default());
        at
    })
}

/// Adds the text in the buffer.
#[wasm_bindgen]
pub fn counter_add(counter: usize, encoding: usize, length: usize) {
    COUNTERS.with_borrow_mut(|all| {
        if let Some(Some(counter)) = all.get_mut(counter) {
            of_text(encoding, length, |tokenizer, text| {
                counter.add(text, tokenizer);
            });
        }
    });
}

/// Returns the number of tokens that all parts so far have together with the text in the buffer, which is not added:
/// half a surrogate pair that waits for the other one counts, and may become whole.
#[wasm_bindgen]
pub fn counter_count(counter: usize, encoding: usize, length: usize) -> f64 {
    COUNTERS
        .with_borrow_mut(|all| match all.get_mut(counter) {
            Some(Some(counter)) => of_text(encoding, length, |tokenizer, text| {
                counter.count_with(text, tokenizer) as f64
            }),
            _ => None,
        })
        .unwrap_or(f64::NAN)
}

/// Forgets a counter.
#[wasm_bindgen]
pub fn counter_free(counter: usize) {
    COUNTERS.with_borrow_mut(|all| {
        if let Some(counter) = all.get_mut(counter) {
            *counter = None;
        }
    });
}

fn with<T>(encoding: usize, call: impl FnOnce(&mut Tokenizer) -> T) -> Option<T> {
    TOKENIZERS.with_borrow_mut(|all| all.get_mut(encoding)?.as_mut().map(call))
}

fn of_text<T>(
    encoding: usize,
    length: usize,
    call: impl FnOnce(&mut Tokenizer, &str) -> T,
) -> Option<T> {
    INPUT.with_borrow(|input| {
        let text = input.text(length).ok()?;
        with(encoding, |tokenizer| call(tokenizer, text))
    })
}
