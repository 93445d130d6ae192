//! Numbers for places in tables.

/// Spreads the bits of a key over all bits.
#[inline(always)]
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let mixed = (a ^ b.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29) ^ b).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 32)
}

/// The bytes of a piece of up to sixteen, as two numbers that overlap. Of two pieces of the same length, both are
/// the same only if the pieces are.
#[inline(always)]
fn ends(bytes: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        (u64::from(first), u64::from(last))
    } else {
        match bytes {
            [] => (0, 0),
            [one] => (u64::from(*one), 0),
            [first, middle @ .., last] => {
                let middle = middle.first().copied().unwrap_or_default();
                (u64::from(*first) | u64::from(*last) << 8, u64::from(middle))
            }
        }
    }
}

/// A number for the bytes of a piece.
#[inline(always)]
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mut hash = (bytes.len() as u64) << 56;
    let mut rest = bytes;
    while rest.len() > 16 {
        let (first, last) = ends(&rest[..16]);
        hash = mix(hash ^ first, last);
        rest = &rest[16..];
    }
    let (first, last) = ends(rest);
    mix(hash ^ first, last)
}
