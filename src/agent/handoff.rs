//! The request that an agent hand its work over, because its context window is nearly full.

use crate::schema::Budget;
use crate::text::{shell_word, visible};
use crate::tokens::MAX_SUMMARY_TOKENS;

use super::CommandWords;

/// A session that was asked is asked again once its window was this much emptier than it has to be for
/// that, in points of percent: so a compaction makes the next request possible, and a share that goes up
/// and down around the threshold does not.
const EMPTIER: u64 = 10;

/// The placeholder for a phase whose name cannot be typed as one word.
const UNNAMED: &str = "PHASE";

/// The state of the request that a session hand its work over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandoffRequestState {
    /// There is no need to.
    None,
    /// The next hook that may give context asks.
    Due,
    /// A hook has asked.
    Made,
}

impl HandoffRequestState {
    /// Returns the state after the window is `used` percent full, in a project that has sessions asked from `threshold`
    /// percent on; `None`: never.
    #[must_use]
    pub fn at(self, used: u64, threshold: Option<u64>) -> Self {
        let Some(threshold) = threshold else {
            return HandoffRequestState::None;
        };
        let is_emptier = used < threshold && used <= threshold.saturating_sub(EMPTIER);
        match self {
            HandoffRequestState::Made if !is_emptier => HandoffRequestState::Made,
            _ if used < threshold => HandoffRequestState::None,
            HandoffRequestState::Made | HandoffRequestState::Due | HandoffRequestState::None => {
                HandoffRequestState::Due
            }
        }
    }
}

/// The sentence to the agent: how full its window is, in percent, and the command that records a summary
/// of the phase, within the project's budget, too. `feature` is the one to type, which is empty for none.
pub fn handoff_request(
    words: &CommandWords<'_>,
    used: u64,
    (command, feature): (&str, Option<&str>),
    phase: &str,
    budget: Option<Budget>,
) -> String {
    let budget = budget.map_or(String::new(), |Budget { encoding, limit }| {
        format!(" and {limit} tokens of {}", encoding.name())
    });
    // With other characters in it, it would be the name of another phase, or no name at all.
    let is_typed = visible(phase) == phase;
    let phase = if is_typed { phase } else { UNNAMED };
    let verb = format!("phase {command} {}", shell_word(phase));
    let command = words.line(&verb, feature, " --summary \"…\"");
    format!(
        "The context window is {used} % full and may be compacted soon. Record now what the next context must \
         know of this work, in at most {MAX_SUMMARY_TOKENS} words{budget}: `{command}`."
    )
}

/// The sentence that says how a run is taken over. `feature` is the one to type, which is empty for none.
pub fn take_over(words: &CommandWords<'_>, (command, feature): (&str, Option<&str>)) -> String {
    let line = words.line(&format!("resume {command}"), feature, " --take");
    match feature {
        Some(feature) if !feature.is_empty() => format!("`/{command} {feature}` or `{line}`"),
        _ => format!("`{line}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::{HandoffRequestState, handoff_request, take_over};
    use crate::agent::CommandWords;

    const ALL: [HandoffRequestState; 3] = [
        HandoffRequestState::None,
        HandoffRequestState::Due,
        HandoffRequestState::Made,
    ];

    /// The states of a session whose window is as full as listed, one after the other.
    fn course(used: &[u64], threshold: Option<u64>) -> Vec<HandoffRequestState> {
        let mut request = HandoffRequestState::None;
        let step = |used: &u64| {
            request = request.at(*used, threshold);
            let now = request;
            // A hook runs immediately.
            if request == HandoffRequestState::Due {
                request = HandoffRequestState::Made;
            }
            now
        };
        used.iter().map(step).collect()
    }

    #[test]
    fn a_session_is_asked_once_each_time_its_window_fills() {
        use HandoffRequestState::{Due, Made, None};
        assert_eq!(
            course(&[0, 79, 80, 81, 95, 79, 71, 80], Some(80)),
            [None, None, Due, Made, Made, Made, Made, Made]
        );
        assert_eq!(
            course(&[90, 20, 79, 80, 81], Some(80)),
            [Due, None, None, Due, Made],
            "after a compaction it is asked again"
        );
        assert_eq!(course(&[90, 70, 80], Some(80)), [Due, None, Due]);
        assert_eq!(course(&[0, 100, 1_000], Option::None), [None; 3]);
        assert_eq!(course(&[0, 0, 1], Some(0)), [Due, Made, Made]);
        assert_eq!(
            course(&[4, 5, 1, 5, 0, 5], Some(5)),
            [None, Due, Made, Made, None, Due]
        );
    }

    #[test]
    fn a_request_that_is_not_due_any_more_is_dropped() {
        for request in ALL {
            assert_eq!(
                request.at(20, Some(80)),
                HandoffRequestState::None,
                "{request:?}"
            );
            assert_eq!(
                request.at(95, None),
                HandoffRequestState::None,
                "{request:?}"
            );
        }
        assert_eq!(
            HandoffRequestState::Due.at(79, Some(80)),
            HandoffRequestState::None
        );
        assert_eq!(
            HandoffRequestState::Due.at(80, Some(80)),
            HandoffRequestState::Due
        );
    }

    #[test]
    fn the_command_in_a_request_is_quoted_for_a_shell() {
        for (feature, phase, expected) in [
            (
                None,
                "printer",
                "`npx milepost phase implement printer --summary \"…\"`",
            ),
            (
                Some("dark-mode"),
                "Write it",
                "`npx milepost phase implement 'Write it' --feature dark-mode --summary \"…\"`",
            ),
            (
                None,
                "a'; rm -rf ~; '",
                r"phase implement 'a'\''; rm -rf ~; '\''' --summary",
            ),
            (None, "a\u{202e}b", "phase implement PHASE --summary"),
            (None, "-x", "phase implement '-x' --summary"),
        ] {
            let target = ("implement", feature);
            let sentence = handoff_request(&CommandWords::LOCAL, 82, target, phase, None);
            assert!(sentence.contains(expected), "{sentence}");
            assert!(
                sentence.starts_with("The context window is 82 % full"),
                "{sentence}"
            );
            assert!(!sentence.contains('\n'), "{sentence}");
        }
    }

    #[test]
    fn a_command_begins_with_the_program_and_ends_with_the_database_of_the_hook() {
        let in_database = Some((Some("DATABASE_URL"), "my shop"));
        for (program, database, place) in [
            ("npx milepost", None, ""),
            ("bunx milepost", None, ""),
            (
                "milepost",
                in_database,
                " --store env:DATABASE_URL --project 'my shop'",
            ),
            (
                "pnpm exec milepost",
                Some((None, "shop")),
                " --store env: --project shop",
            ),
        ] {
            let words = CommandWords { program, database };
            for (feature, slash, option) in [
                (None, "", ""),
                (Some(""), "", " --feature="),
                (
                    Some("dark-mode"),
                    "`/implement dark-mode` or ",
                    " --feature dark-mode",
                ),
                (
                    Some("it's"),
                    "`/implement it's` or ",
                    r" --feature 'it'\''s'",
                ),
            ] {
                let target = ("implement", feature);
                assert_eq!(
                    take_over(&words, target),
                    format!("{slash}`{program} resume implement{option} --take{place}`")
                );
                let sentence = handoff_request(&words, 82, target, "work", None);
                let expected =
                    format!("`{program} phase implement work{option} --summary \"…\"{place}`");
                assert!(sentence.contains(&expected), "{sentence}");
            }
        }
    }
}
