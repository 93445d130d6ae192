//! The name of the file that another one is a copy of.

use super::forms::is_key_of_ssh;
use super::lists::COPIES;

/// The path of the file that this is a copy of.
pub(super) fn original(path: &str) -> String {
    let start = path.rfind('/').map_or(0, |at| at + 1);
    let (folder, mut name) = path.split_at(start);
    let is_swap = name.ends_with(".swp") || name.ends_with(".swo");
    while let Some(rest) = without_tail(name) {
        name = rest;
    }
    // Vim hides what it swaps: `.id_rsa.swp`, and `.env.swp` of `.env`.
    let hidden = name
        .strip_prefix('.')
        .filter(|it| is_swap && is_key_of_ssh(it));
    let name = hidden.unwrap_or(name);
    // `credentials (1).json`
    match name.rsplit_once('.') {
        Some((begin, ending)) if begin.ends_with(')') || begin.ends_with(" copy") => {
            let begin = without_tail(begin).unwrap_or(begin);
            format!("{folder}{begin}.{ending}")
        }
        _ => format!("{folder}{name}"),
    }
}

/// The name of the file that this is a copy of by its last part: `.bak`, `.1699`, ` (2)`, ` copy 2`.
fn without_tail(name: &str) -> Option<&str> {
    let is_number = |text: &str| {
        let is_part = |it: u8| it.is_ascii_digit() || matches!(it, b'-' | b'_');
        text.bytes().all(is_part) && text.bytes().any(|it| it.is_ascii_digit())
    };
    let of_copy = COPIES.iter().find_map(|copy| name.strip_suffix(*copy));
    let numbered = || {
        // `credentials.5` is a page of the manual.
        let is_page = |(rest, number): (&str, &str)| !rest.contains('.') && number.len() == 1;
        let (rest, number) = name
            .rsplit_once(" copy ")
            .or_else(|| name.rsplit_once('.').filter(|parts| !is_page(*parts)))?;
        is_number(number).then_some(rest)
    };
    let in_brackets = || {
        let (rest, inner) = name.strip_suffix(')')?.rsplit_once(" (")?;
        (is_number(inner) || inner.contains("copy")).then_some(rest)
    };
    let rest = of_copy.or_else(numbered).or_else(in_brackets)?;
    // Nothing is a copy of a file without a name.
    Some(rest.trim_end_matches(" -")).filter(|rest| !rest.is_empty())
}
