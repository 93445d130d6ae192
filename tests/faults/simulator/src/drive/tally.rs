//! The tally of runs.

/// The tally of one run, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Effects performed, or failed.
    pub effects: usize,
    /// Jobs that were acknowledged.
    pub acknowledged: usize,
    /// Processes killed.
    pub kills: usize,
    /// Losses of power.
    pub power_losses: usize,
    /// Effects that failed.
    pub faults: usize,
}

impl Tally {
    /// The two together.
    #[must_use]
    pub fn and(self, other: Tally) -> Tally {
        Tally {
            effects: self.effects + other.effects,
            acknowledged: self.acknowledged + other.acknowledged,
            kills: self.kills + other.kills,
            power_losses: self.power_losses + other.power_losses,
            faults: self.faults + other.faults,
        }
    }
}
