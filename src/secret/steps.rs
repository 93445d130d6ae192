//! Counts, in tests, the bytes that rules look at: that time is linear in any text is a number there.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Notes that so many bytes are looked at.
#[cfg(test)]
pub(super) fn step(count: usize) {
    STEPS.with(|steps| steps.set(steps.get() + count as u64));
}

/// Notes that so many bytes are looked at.
#[cfg(not(test))]
#[inline(always)]
pub(super) fn step(_: usize) {}

/// Returns the number of bytes that were looked at since the last call.
#[cfg(test)]
pub(super) fn taken() -> u64 {
    STEPS.with(|steps| steps.replace(0))
}
