//! Counts, in tests, the steps that a count takes: that its cost is bounded in any text is a number there.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Notes so many steps: characters that are classified, tokens that are looked up, merges that are queued.
#[cfg(test)]
pub(super) fn step(count: usize) {
    STEPS.with(|steps| steps.set(steps.get() + count as u64));
}

/// Notes so many steps.
#[cfg(not(test))]
#[inline(always)]
pub(super) fn step(_: usize) {}

/// Returns the number of steps since the last call.
#[cfg(test)]
pub(super) fn taken() -> u64 {
    STEPS.with(|steps| steps.replace(0))
}
