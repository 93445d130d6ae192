//! Why a session checkpoint was made.

use std::str::FromStr;

use crate::error::Error;
use crate::text::quoted;

/// One of the five occasions of a session checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A phase succeeded.
    PhaseComplete,
    /// The token limit comes near, and another session takes over.
    Handoff,
    /// Something failed that can be recovered from.
    Error,
    /// The way of working changes, such as from direct to orchestrated.
    ModeSwitch,
    /// Somebody asked for it.
    UserRequested,
}

impl Reason {
    /// Every reason, in the order of the documentation.
    pub const ALL: [Reason; 5] = [
        Reason::PhaseComplete,
        Reason::Handoff,
        Reason::Error,
        Reason::ModeSwitch,
        Reason::UserRequested,
    ];

    /// The reason as it is stored, such as `phase_complete`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::PhaseComplete => "phase_complete",
            Reason::Handoff => "handoff",
            Reason::Error => "error",
            Reason::ModeSwitch => "mode_switch",
            Reason::UserRequested => "user_requested",
        }
    }
}

impl FromStr for Reason {
    type Err = Error;

    /// # Errors
    ///
    /// [`Error::usage`], which names the five.
    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Reason::ALL.into_iter().find(|it| it.as_str() == text);
        found.ok_or_else(|| {
            Error::usage(format!(
                "Expected a reason that is one of {}, got {}",
                Reason::ALL.map(Reason::as_str).join(", "),
                quoted(text)
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Reason;
    use crate::error::Code;

    #[test]
    fn a_reason_that_is_none_was_stored() {
        for text in ["", "Handoff", "phase-complete", "done", "handoff "] {
            let error = text.parse::<Reason>().unwrap_err();
            assert_eq!(error.code(), Code::Usage, "{text}");
        }
        assert_eq!(
            "fun".parse::<Reason>().unwrap_err().to_string(),
            "Expected a reason that is one of phase_complete, handoff, error, mode_switch, \
             user_requested, got \"fun\""
        );
    }

    #[test]
    fn a_reason_is_read_as_it_is_stored() {
        for reason in Reason::ALL {
            assert_eq!(reason.as_str().parse(), Ok(reason));
        }
    }
}
