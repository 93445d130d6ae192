//! Texts without regard to letter case.

/// Adds a text in small letters, character by character: what a letter becomes does not depend on its neighbours,
/// so that a part of a text becomes a part.
pub(super) fn push_lower(lowered: &mut String, text: &str) {
    match text.is_ascii() {
        true => {
            let start = lowered.len();
            lowered.push_str(text);
            if let Some(added) = lowered.get_mut(start..) {
                added.make_ascii_lowercase();
            }
        }
        false => lowered.extend(text.chars().flat_map(char::to_lowercase)),
    }
}

/// A text in small letters.
pub(in crate::view) fn lower(text: &str) -> String {
    let mut lowered = String::with_capacity(text.len());
    push_lower(&mut lowered, text);
    lowered
}
