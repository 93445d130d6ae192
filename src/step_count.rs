//! Counts, in tests, the steps that a rule takes: that its cost is bounded for any input is a number there.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Notes so many steps, each of a kind that its rule chooses: bytes that are looked at, tokens that are looked up,
/// keys that are compared.
#[cfg(test)]
pub(crate) fn step(count: usize) {
    STEPS.with(|steps| steps.set(steps.get() + count as u64));
}

/// Notes nothing.
#[cfg(not(test))]
#[inline(always)]
pub(crate) fn step(_: usize) {}

/// Returns the number of steps that the work takes.
#[cfg(test)]
pub(crate) fn steps_of<T>(work: impl FnOnce() -> T) -> u64 {
    STEPS.set(0);
    drop(work());
    STEPS.take()
}
