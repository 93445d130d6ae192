//! The functions that take a text and answer immediately.

use milepost::surface::js::{count_tokens, reserve, truncate, validate_summary, without_secrets};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::ffi::{put, reply, write};

#[wasm_bindgen_test]
fn tokens_of_a_text_are_counted() {
    assert_eq!(count_tokens(write("one two\u{feff}three")), 3.0);
    assert_eq!(count_tokens(write("")), 0.0);
}

#[wasm_bindgen_test]
fn a_text_that_outgrew_its_room_goes_on_where_it_stopped() {
    let half = "one ".repeat(10_000);
    write(&half);
    // More than the buffer ever has at first, so that it moves.
    let start = reserve(4 * half.len());
    put(start.wrapping_add(half.len()), half.as_bytes());
    assert_eq!(count_tokens(2 * half.len()), 20_000.0);
}

#[wasm_bindgen_test]
fn a_length_that_was_never_written_is_no_text() {
    write("one");
    let beyond = 1 << 30;
    assert!(count_tokens(beyond).is_nan());
    assert_eq!(truncate(beyond, 500.0), 0);
}

#[wasm_bindgen_test]
fn bytes_that_are_no_utf8_are_no_text_and_the_next_one_is_read() {
    put(reserve(2), &[0xc3, 0x28]);
    assert!(count_tokens(2).is_nan());
    assert_eq!(count_tokens(write("one")), 1.0);
}

#[wasm_bindgen_test]
fn a_summary_within_its_limit_is_valid() {
    let verdict = reply(validate_summary(write("one two"), 2.0));
    assert_eq!(
        verdict,
        r#"{"valid":true,"tokenCount":2,"limit":2,"error":null}"#
    );
}

#[wasm_bindgen_test]
fn a_summary_above_its_limit_says_both_numbers() {
    let verdict = reply(validate_summary(write("one two three"), 2.0));
    let error = "Context summary exceeds 2 token limit (actual: 3 tokens)";
    assert_eq!(
        verdict,
        format!(r#"{{"valid":false,"tokenCount":3,"limit":2,"error":"{error}"}}"#)
    );
}

#[wasm_bindgen_test]
fn the_largest_limit_of_javascript_arrives_whole() {
    let largest = 9_007_199_254_740_991.0;
    let verdict = reply(validate_summary(write("one"), largest));
    assert!(
        verdict.contains(r#""limit":9007199254740991,"#),
        "{verdict}"
    );
}

#[wasm_bindgen_test]
fn truncating_counts_as_javascript_does() {
    // The first token is one character, four bytes of UTF-8 and two code units of UTF-16.
    assert_eq!(truncate(write("\u{1f600} two"), 1.0), 2);
}

#[wasm_bindgen_test]
fn a_message_loses_its_secrets_and_nothing_else() {
    let token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let message = reply(without_secrets(write(&format!("cannot open /a/{token}/b"))));
    assert!(!message.contains("0123456789"), "{message}");
    assert!(message.starts_with("cannot open /a/"), "{message}");
    let message = "Expected `phase` to be a string, got an object";
    assert_eq!(reply(without_secrets(write(message))), message);
}
