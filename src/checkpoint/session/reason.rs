//! The reason for a session checkpoint.

use std::str::FromStr;

use crate::error::Error;
use crate::spelling::nearest;
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
    /// A user asked for it.
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

    /// The reasons as they are stored, in one line.
    pub fn list() -> String {
        Reason::ALL.map(Reason::as_str).join(", ")
    }

    /// Returns the reason that was meant by a text that names none: one that differs from it in a
    /// letter or two, or in the characters between the words, or that begins with it.
    fn near(text: &str) -> Option<Reason> {
        let text = text.trim().to_ascii_lowercase().replace(['-', ' '], "_");
        let begins = |it: &Reason| text.len() >= LEAST_BEGINNING && it.as_str().starts_with(&text);
        let is_meant =
            |it: &Reason| *it.as_str() == text || nearest(&text, [it.as_str()]).is_some();
        let begun = Reason::ALL.into_iter().find(begins);
        begun.or_else(|| Reason::ALL.into_iter().find(is_meant))
    }

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

/// A shorter text begins too many words.
const LEAST_BEGINNING: usize = 3;

impl FromStr for Reason {
    type Err = Error;

    /// # Errors
    ///
    /// [`Error::usage`], which names the five, and the one that is near.
    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Reason::ALL.into_iter().find(|it| it.as_str() == text);
        found.ok_or_else(|| {
            let near = Reason::near(text);
            let near = near.map(|it| format!("; did you mean {}?", it.as_str()));
            Error::usage(format!(
                "Expected a reason that is one of {}, got {}{}",
                Reason::list(),
                quoted(text),
                near.unwrap_or_default()
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Reason;
    use crate::error::Code;

    #[test]
    fn an_unknown_reason_is_refused() {
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
    fn a_reason_that_was_mistyped_is_suggested_as_it_is_stored() {
        for (text, meant) in [
            ("phase-complete", Some(Reason::PhaseComplete)),
            ("Phase Complete", Some(Reason::PhaseComplete)),
            ("phase", Some(Reason::PhaseComplete)),
            ("hand_off", Some(Reason::Handoff)),
            ("handof", Some(Reason::Handoff)),
            ("eror", Some(Reason::Error)),
            ("mode_swich", Some(Reason::ModeSwitch)),
            ("user", Some(Reason::UserRequested)),
            ("us", None),
            ("done", None),
            ("", None),
            ("\u{e9}\u{1b}", None),
        ] {
            assert_eq!(Reason::near(text), meant, "{text}");
        }
        let error = "hand_off".parse::<Reason>().unwrap_err().to_string();
        assert!(
            error.ends_with(", got \"hand_off\"; did you mean handoff?"),
            "{error}"
        );
    }

    #[test]
    fn a_reason_is_read_as_it_is_stored() {
        for reason in Reason::ALL {
            assert_eq!(reason.as_str().parse(), Ok(reason));
        }
    }
}
