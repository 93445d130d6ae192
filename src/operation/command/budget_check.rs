//! The context summaries of a change, held to the project's budget in exact tokens before it is decided.
//!
//! A document records the budget that its latest summaries were checked against: `token_budget`.

use crate::checkpoint::command::summaries::{all, are_new, has_any, is_new, pointer};
use crate::error::Error;
use crate::error::whole;
use crate::extent::IS_WHOLE;
use crate::json::Object;
use crate::operation::project::budget::{budget, excess};
use crate::schema::{BUDGET_FIELD, Budget};
use crate::secret::redact;

use super::run_store::RunStore;

/// The result of counting the summaries that a change brings, as they are stored: without their secrets.
pub(in crate::operation) enum BudgetCheck {
    /// It brings none.
    Nothing,
    /// They have their words alone to answer for.
    Words,
    /// They were counted.
    Exactly {
        budget: Budget,
        /// The phases whose summary is above it, with the sentence. `None` stands for the run.
        excess: Vec<(Option<String>, String)>,
    },
}

impl BudgetCheck {
    /// The result for a text within a budget.
    pub(in crate::operation) fn within(budget: Budget) -> Self {
        BudgetCheck::Exactly {
            budget,
            excess: Vec::new(),
        }
    }

    /// Counts the summary that an update gives a phase.
    ///
    /// # Errors
    ///
    /// [`Error::summary_too_long`]; those of [`budget`] and [`excess`].
    pub(super) async fn of_phase(
        store: &RunStore<'_>,
        phase: &str,
        summary: Option<&str>,
    ) -> Result<Self, Error> {
        let Some(text) = summary else {
            return Ok(BudgetCheck::Nothing);
        };
        let Some(budget) = budget(store.io, &store.root).await? else {
            return Ok(BudgetCheck::Words);
        };
        whole::needed()?;
        match excess(store.io, budget, &redact(text).text).await? {
            Some(message) => Err(too_long(Some(phase), &message)),
            None => Ok(BudgetCheck::within(budget)),
        }
    }

    /// Counts every summary of a whole document.
    ///
    /// # Errors
    ///
    /// Those of [`budget`] and [`excess`].
    pub(super) async fn of_document(
        store: &RunStore<'_>,
        document: &Object,
    ) -> Result<Self, Error> {
        if !has_any(document) {
            return Ok(BudgetCheck::Nothing);
        }
        let Some(budget) = budget(store.io, &store.root).await? else {
            return Ok(BudgetCheck::Words);
        };
        whole::needed()?;
        let mut above = Vec::new();
        for summary in all(document) {
            if let Some(message) = excess(store.io, budget, &redact(summary.text).text).await? {
                above.push((summary.phase.map(str::to_owned), message));
            }
        }
        Ok(BudgetCheck::Exactly {
            budget,
            excess: above,
        })
    }

    /// Refuses in what follows these documents a summary above the budget that none of them has, and records
    /// what its new ones were checked against.
    ///
    /// # Errors
    ///
    /// [`Error::summary_too_long`].
    pub(super) fn settle(&self, next: &mut Object, before: &[&Object]) -> Result<(), Error> {
        let excess: &[_] = match self {
            BudgetCheck::Exactly { excess, .. } => excess,
            BudgetCheck::Words if next.get(BUDGET_FIELD).is_some() => &[],
            BudgetCheck::Words | BudgetCheck::Nothing => return Ok(()),
        };
        whole::needed()?;
        for (phase, message) in excess {
            if is_new(next, phase.as_deref(), before) {
                return Err(too_long(phase.as_deref(), message));
            }
        }
        match are_new(next, before) {
            true => self.record(next),
            false => Ok(()),
        }
    }

    /// Records in a document what its summaries were checked against.
    ///
    /// # Errors
    ///
    /// None, but for what the wasm of hooks leaves out.
    pub(in crate::operation) fn record(&self, document: &mut Object) -> Result<(), Error> {
        match self {
            BudgetCheck::Exactly { budget, .. } if IS_WHOLE => {
                document.set(BUDGET_FIELD, budget.record());
            }
            BudgetCheck::Words if document.get(BUDGET_FIELD).is_some() => {
                whole::needed()?;
                document.remove(BUDGET_FIELD);
            }
            _ => {}
        }
        Ok(())
    }
}

#[cold]
#[inline(never)]
fn too_long(phase: Option<&str>, message: &str) -> Error {
    Error::summary_too_long(pointer(phase).into_string(), message.to_owned())
}
