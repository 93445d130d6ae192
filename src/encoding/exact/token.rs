//! The numbers of tokens, which are also their ranks.

/// No token, or no rank: above all that there are.
pub(super) const NONE: u32 = u32::MAX;

/// Ids stand in so many bits.
pub(super) const ID_BITS: u32 = 18;
pub(super) const ID_MASK: u32 = (1 << ID_BITS) - 1;
