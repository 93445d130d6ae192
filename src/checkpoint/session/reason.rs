//! The reason for a snapshot.

use std::str::FromStr;

use crate::error::Error;
use crate::spelling::nearest;
use crate::text::quoted;

/// One of the five occasions of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotReason {
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

impl SnapshotReason {
    /// Every reason, in the order of the documentation.
    pub const ALL: [SnapshotReason; 5] = [
        SnapshotReason::PhaseComplete,
        SnapshotReason::Handoff,
        SnapshotReason::Error,
        SnapshotReason::ModeSwitch,
        SnapshotReason::UserRequested,
    ];

    /// The reasons as they are stored, in one line.
    pub fn list() -> String {
        SnapshotReason::ALL.map(SnapshotReason::as_str).join(", ")
    }

    /// Returns the reason that was meant by a text that names none: one that differs from it in a
    /// letter or two, or in the characters between the words, or that begins with it.
    fn near(text: &str) -> Option<SnapshotReason> {
        let text = text.trim().to_ascii_lowercase().replace(['-', ' '], "_");
        let begins =
            |it: &SnapshotReason| text.len() >= LEAST_BEGINNING && it.as_str().starts_with(&text);
        let is_meant =
            |it: &SnapshotReason| *it.as_str() == text || nearest(&text, [it.as_str()]).is_some();
        let begun = SnapshotReason::ALL.into_iter().find(begins);
        begun.or_else(|| SnapshotReason::ALL.into_iter().find(is_meant))
    }

    /// The reason as it is stored, such as `phase_complete`.
    pub const fn as_str(self) -> &'static str {
        match self {
            SnapshotReason::PhaseComplete => "phase_complete",
            SnapshotReason::Handoff => "handoff",
            SnapshotReason::Error => "error",
            SnapshotReason::ModeSwitch => "mode_switch",
            SnapshotReason::UserRequested => "user_requested",
        }
    }
}

/// A shorter text begins too many words.
const LEAST_BEGINNING: usize = 3;

impl FromStr for SnapshotReason {
    type Err = Error;

    /// # Errors
    ///
    /// [`Error::usage`], which names the five, and the one that is near.
    fn from_str(text: &str) -> Result<Self, Error> {
        let found = SnapshotReason::ALL
            .into_iter()
            .find(|it| it.as_str() == text);
        found.ok_or_else(|| {
            let near = SnapshotReason::near(text);
            let near = near.map(|it| format!("; did you mean {}?", it.as_str()));
            Error::usage(format!(
                "Expected a reason that is one of {}, got {}{}",
                SnapshotReason::list(),
                quoted(text),
                near.unwrap_or_default()
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::SnapshotReason;
    use crate::error::Code;

    #[test]
    fn an_unknown_reason_is_refused() {
        for text in ["", "Handoff", "phase-complete", "done", "handoff "] {
            let error = text.parse::<SnapshotReason>().unwrap_err();
            assert_eq!(error.code(), Code::Usage, "{text}");
        }
        assert_eq!(
            "fun".parse::<SnapshotReason>().unwrap_err().to_string(),
            "Expected a reason that is one of phase_complete, handoff, error, mode_switch, \
             user_requested, got \"fun\""
        );
    }

    #[test]
    fn a_reason_that_was_mistyped_is_suggested_as_it_is_stored() {
        for (text, meant) in [
            ("phase-complete", Some(SnapshotReason::PhaseComplete)),
            ("Phase Complete", Some(SnapshotReason::PhaseComplete)),
            ("phase", Some(SnapshotReason::PhaseComplete)),
            ("hand_off", Some(SnapshotReason::Handoff)),
            ("handof", Some(SnapshotReason::Handoff)),
            ("eror", Some(SnapshotReason::Error)),
            ("mode_swich", Some(SnapshotReason::ModeSwitch)),
            ("user", Some(SnapshotReason::UserRequested)),
            ("us", None),
            ("done", None),
            ("", None),
            ("\u{e9}\u{1b}", None),
        ] {
            assert_eq!(SnapshotReason::near(text), meant, "{text}");
        }
        let error = "hand_off"
            .parse::<SnapshotReason>()
            .unwrap_err()
            .to_string();
        assert!(
            error.ends_with(", got \"hand_off\"; did you mean handoff?"),
            "{error}"
        );
    }

    #[test]
    fn a_reason_is_read_as_it_is_stored() {
        for reason in SnapshotReason::ALL {
            assert_eq!(reason.as_str().parse(), Ok(reason));
        }
    }
}
