//! A limit in the tokens of an encoding: what settings ask for, and documents record.

use crate::encoding::Encoding;
use crate::json::Object;
use crate::tokens::MAX_SUMMARY_BYTES;

use super::definition::{Kind, Shape, published, required};

/// A stored summary has no more bytes, and a token has at least one.
const MAX_LIMIT: u64 = MAX_SUMMARY_BYTES as u64;

/// The encodings, as documents name them.
const ENCODINGS: [&str; Encoding::ALL.len()] = {
    let mut names = [""; Encoding::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = Encoding::ALL[at].name();
        at += 1;
    }
    names
};

/// The form in which a document names the budget that its summaries were checked against.
pub static TOKEN_BUDGET: Shape = Shape {
    name: "TokenBudget",
    doc: published("A limit in exact tokens, as a model of OpenAI counts them."),
    fields: &[
        required(
            "encoding",
            Kind::Enum(&ENCODINGS),
            "The encoding in which they are counted.",
        ),
        required("limit", Kind::Integer, "The most tokens of a summary."),
    ],
};

/// The name of the field that holds a [`TOKEN_BUDGET`].
pub const BUDGET_FIELD: &str = "token_budget";

/// The most tokens of a context summary, by an encoding. It holds beside the word limit, never in its place:
/// every reader knows that one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The encoding that counts them.
    pub encoding: Encoding,
    /// The limit on their number.
    pub limit: u32,
}

impl Budget {
    /// The budget with this limit.
    ///
    /// # Errors
    ///
    /// The sentence that says which limits there are.
    pub fn new(encoding: Encoding, limit: u64) -> Result<Self, String> {
        match u32::try_from(limit) {
            Ok(limit) if (1..=MAX_LIMIT).contains(&limit.into()) => Ok(Budget { encoding, limit }),
            _ => Err(sentence!("expected 1 to {MAX_LIMIT} tokens, found {limit}")),
        }
    }

    /// The sentence, where a text of so many tokens is above the limit.
    pub fn excess(self, tokens: u64) -> Option<String> {
        let Budget { encoding, limit } = self;
        (tokens > limit.into()).then(|| {
            sentence!(
                "Context summary exceeds {limit} token limit of this project (actual: {tokens} tokens in {})",
                encoding.name()
            )
        })
    }

    /// As documents record it.
    pub fn record(self) -> Object {
        Object::new()
            .with("encoding", self.encoding.name())
            .with("limit", u64::from(self.limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;

    #[test]
    fn a_text_at_its_limit_is_accepted() {
        let budget = Budget::new(Encoding::O200k, 500).unwrap();
        assert_eq!(budget.excess(500), None);
        assert_eq!(
            budget.excess(501).as_deref(),
            Some(
                "Context summary exceeds 500 token limit of this project (actual: 501 tokens in o200k)"
            )
        );
    }

    #[test]
    fn a_limit_that_no_text_meets_is_refused() {
        for limit in [0, MAX_LIMIT + 1, u64::MAX] {
            assert!(Budget::new(Encoding::O200k, limit).is_err(), "{limit}");
        }
    }

    #[test]
    fn the_recorded_budget_fits_its_shape() {
        for encoding in Encoding::ALL {
            let record = Budget::new(encoding, MAX_LIMIT).unwrap().record();
            assert_eq!(TOKEN_BUDGET.problems(&Json::from(record)), []);
        }
    }
}
