//! Faults that a run found, and those among them that are proofs.

use std::fmt;

use anyhow::{Result, bail};

use crate::actor::Refusal;

/// Codes of refusals that a machine may explain: it is slow, or its disk is full.
const OF_THE_MACHINE: [&str; 2] = ["busy", "io"];

/// The number of each kind that is named.
const SHOWN: usize = 12;

/// Faults that a run found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults {
    /// No machine explains these.
    proofs: Vec<String>,
    others: Vec<String>,
}

impl Faults {
    /// Notes a violation.
    pub(crate) fn push(&mut self, proof: String) {
        self.proofs.push(proof);
    }

    /// Notes what a slow machine or a full disk may explain.
    pub(crate) fn doubt(&mut self, other: String) {
        self.others.push(other);
    }

    /// Notes an operation that should not have been refused.
    pub(crate) fn refused(&mut self, refusal: &Refusal, what: String) {
        match OF_THE_MACHINE.contains(&refusal.code.as_str()) {
            true => self.doubt(what),
            false => self.push(what),
        }
    }

    /// Notes those of `other` as well.
    pub(crate) fn add(&mut self, other: Faults) {
        self.proofs.extend(other.proofs);
        self.others.extend(other.others);
    }

    pub(crate) fn len(&self) -> usize {
        self.proofs.len() + self.others.len()
    }

    /// Fails with everything that is wrong: with a [`Violated`] where that is a proof.
    pub(crate) fn judge(self) -> Result<()> {
        let Faults {
            mut proofs,
            mut others,
        } = self;
        proofs.truncate(SHOWN);
        others.truncate(SHOWN);
        if !proofs.is_empty() {
            return Err(Violated { proofs, others }.into());
        }
        if !others.is_empty() {
            bail!("{}", others.join("\n"));
        }
        Ok(())
    }
}

impl Extend<String> for Faults {
    fn extend<I: IntoIterator<Item = String>>(&mut self, proofs: I) {
        self.proofs.extend(proofs);
    }
}

/// A promise that was not kept.
#[derive(Debug)]
pub(crate) struct Violated {
    proofs: Vec<String>,
    others: Vec<String>,
}

impl Violated {
    /// Returns the first proof, and how many more there are.
    pub(crate) fn summary(&self) -> String {
        let first = self.proofs.first().map_or("", String::as_str);
        match self.proofs.len().saturating_sub(1) {
            0 => first.to_owned(),
            more => format!("{first}, and {more} more"),
        }
    }
}

impl fmt::Display for Violated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<&str> = self
            .proofs
            .iter()
            .chain(&self.others)
            .map(String::as_str)
            .collect();
        f.write_str(&all.join("\n"))
    }
}

impl std::error::Error for Violated {}

#[cfg(test)]
mod tests {
    use super::{Faults, Violated};
    use crate::actor::Refusal;

    fn refusal(code: &str) -> Refusal {
        Refusal {
            code: code.to_owned(),
            message: String::new(),
            may_be_there: false,
        }
    }

    fn is_proof(faults: Faults) -> Option<bool> {
        let error = faults.judge().err()?;
        Some(error.is::<Violated>())
    }

    #[test]
    fn a_refusal_that_the_machine_explains_is_no_proof() {
        for (code, expected) in [
            ("io", false),
            ("busy", false),
            ("conflict", true),
            ("corrupt", true),
        ] {
            let mut faults = Faults::default();
            faults.refused(&refusal(code), "it was refused".to_owned());
            assert_eq!(is_proof(faults), Some(expected), "{code}");
        }
    }

    #[test]
    fn one_violation_makes_a_proof_of_a_run() {
        assert_eq!(is_proof(Faults::default()), None);
        let mut faults = Faults::default();
        faults.doubt("no process read".to_owned());
        assert_eq!(is_proof(faults.clone()), Some(false));
        faults.push("a is lost".to_owned());
        let error = faults.judge().expect_err("something is lost");
        assert_eq!(error.to_string(), "a is lost\nno process read");
        let summary = error.downcast_ref().map(Violated::summary);
        assert_eq!(summary.as_deref(), Some("a is lost"));
    }
}
