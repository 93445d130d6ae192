//! The texts of the table: written out, or made of a few words.

use milepost::json::Json;

/// The value itself, or the one of `each` that the case runs with.
pub(super) fn chosen<'a>(value: &'a Json, each: Option<&'a Json>) -> &'a Json {
    match maker(value) {
        Some(("each", _)) => each.expect("the case has `each`"),
        _ => value,
    }
}

/// A text that is UTF-8.
pub(super) fn string(value: &Json, each: Option<&Json>) -> String {
    String::from_utf8(bytes(value, each)).unwrap()
}

/// The bytes that a value of the table stands for.
pub(super) fn bytes(value: &Json, each: Option<&Json>) -> Vec<u8> {
    let value = chosen(value, each);
    if let Some(text) = value.as_str() {
        return text.as_bytes().to_owned();
    }
    let (name, argument) = maker(value).unwrap_or_else(|| panic!("no text: {value:?}"));
    let number = |value: &Json| chosen(value, each).as_u64().unwrap() as usize;
    match name {
        "join" => {
            let parts = argument.as_array().unwrap().iter();
            parts.flat_map(|part| bytes(part, each)).collect()
        }
        "repeat" => {
            let [text, count] = argument.as_array().unwrap() else {
                panic!("`repeat` takes a text and a number");
            };
            bytes(text, each).repeat(number(count))
        }
        "count" => {
            let [text, count] = argument.as_array().unwrap() else {
                panic!("`count` takes a text and a number");
            };
            let text = string(text, each);
            let texts = (0..number(count)).map(|at| text.replace('#', &at.to_string()));
            texts.collect::<String>().into_bytes()
        }
        "nest" => {
            let depth = number(argument);
            format!("{}{}", "[".repeat(depth), "]".repeat(depth)).into_bytes()
        }
        "base64" => from_base64(argument.as_str().unwrap()),
        other => panic!("no text is made by {other}"),
    }
}

fn maker(value: &Json) -> Option<(&str, &Json)> {
    value.as_object()?.iter().next()
}

fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter(|&byte| byte != b'=');
    let bits: Vec<u8> = digits
        .map(|byte| DIGITS.iter().position(|&digit| digit == byte).unwrap() as u8)
        .flat_map(|digit| (0..6).rev().map(move |bit| digit >> bit & 1))
        .collect();
    let whole = bits.chunks_exact(8);
    whole
        .map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | bit))
        .collect()
}
