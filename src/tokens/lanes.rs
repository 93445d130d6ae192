//! The vector instructions of WebAssembly that [`super`] uses, under their names, for other machines:
//! on a plain integer, so that it is fast in a build for tests too.

// The names are those of the instructions.
#![allow(non_camel_case_types)]

/// Sixteen bytes; the first lane is the lowest one.
#[derive(Clone, Copy)]
pub(super) struct v128(u128);

/// The high bit of every lane.
const HIGH: u128 = each(0x80);

/// One byte in all lanes.
const fn each(byte: u8) -> u128 {
    u128::from_ne_bytes([byte; 16])
}

/// All bits of the lanes of which the high bit is set, and none of the others.
fn spread(lanes: u128) -> v128 {
    let high = lanes & HIGH;
    v128(high | (high - (high >> 7)))
}

pub(super) fn u64x2(low: u64, high: u64) -> v128 {
    v128(u128::from(high) << 64 | u128::from(low))
}

pub(super) fn u8x16_splat(byte: u8) -> v128 {
    v128(each(byte))
}

pub(super) fn i8x16_splat(byte: i8) -> v128 {
    v128(each(byte.cast_unsigned()))
}

pub(super) fn v128_and(a: v128, b: v128) -> v128 {
    v128(a.0 & b.0)
}

pub(super) fn v128_or(a: v128, b: v128) -> v128 {
    v128(a.0 | b.0)
}

pub(super) fn u8x16_sub(a: v128, b: v128) -> v128 {
    // With its high bit set, no lane borrows from the next one.
    v128(((a.0 | HIGH) - (b.0 & !HIGH)) ^ ((a.0 ^ !b.0) & HIGH))
}

pub(super) fn u8x16_eq(a: v128, b: v128) -> v128 {
    let difference = a.0 ^ b.0;
    spread(!(((difference & !HIGH) + each(0x7F)) | difference))
}

pub(super) fn u8x16_lt(a: v128, b: v128) -> v128 {
    spread((!a.0 & b.0) | (!(a.0 ^ b.0) & u8x16_sub(a, b).0))
}

pub(super) fn i8x16_lt(a: v128, b: v128) -> v128 {
    u8x16_lt(v128(a.0 ^ HIGH), v128(b.0 ^ HIGH))
}

/// The high bit of every lane.
pub(super) fn u8x16_bitmask(a: v128) -> u16 {
    // In the product, each bit of a half comes to stand in its highest byte, in their order.
    let half = |lanes: u128| {
        let bits = (lanes as u64 >> 7) & 0x0101_0101_0101_0101;
        bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    (half(a.0 >> 64) << 8 | half(a.0)) as u16
}

/// Sixteen lanes of both in a row, from the lane `A` of the first one on.
#[rustfmt::skip]
pub(super) fn u8x16_shuffle<
    const A: usize, const B: usize, const C: usize, const D: usize,
    const E: usize, const F: usize, const G: usize, const H: usize,
    const I: usize, const J: usize, const K: usize, const L: usize,
    const M: usize, const N: usize, const O: usize, const P: usize,
>(a: v128, b: v128) -> v128 {
    debug_assert!([A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P].is_sorted() && P == A + 15);
    v128(a.0 >> (8 * A) | b.0 << (128 - 8 * A))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of an instruction for two bytes in one lane, for any bytes in the others.
    fn in_every_lane(instruction: fn(v128, v128) -> v128, of_bytes: fn(u8, u8) -> u8) {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..20_000 {
            let mut lanes = || u128::from_ne_bytes([(); 16].map(|()| random.u8(..)));
            let (a, b) = (lanes(), lanes());
            // Equal bytes as well.
            let b = if a & 1 == 0 {
                b
            } else {
                a & b | a & each(0xF0)
            };
            let made = instruction(v128(a), v128(b)).0.to_le_bytes();
            for (lane, made) in made.into_iter().enumerate() {
                let expected = of_bytes(a.to_le_bytes()[lane], b.to_le_bytes()[lane]);
                assert_eq!(made, expected, "{a:x} {b:x}");
            }
        }
    }

    fn all(is_so: bool) -> u8 {
        if is_so { u8::MAX } else { 0 }
    }

    #[test]
    fn no_lane_touches_the_next_one() {
        in_every_lane(u8x16_sub, u8::wrapping_sub);
        in_every_lane(u8x16_eq, |a, b| all(a == b));
        in_every_lane(u8x16_lt, |a, b| all(a < b));
        in_every_lane(i8x16_lt, |a, b| all(a.cast_signed() < b.cast_signed()));
    }

    #[test]
    fn a_mask_has_the_high_bits_in_the_order_of_their_lanes() {
        for lane in 0..16 {
            assert_eq!(u8x16_bitmask(v128(0x80 << (8 * lane))), 1 << lane);
            assert_eq!(u8x16_bitmask(v128(!(0x80 << (8 * lane)))), !(1 << lane));
        }
    }
}
