//! The results of the stories, as text.

use serde_json::Value;

/// The story of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Report {
    /// The agent's name.
    pub(super) title: &'static str,
    /// The version that ran.
    pub(super) version: String,
    /// The version whose payloads are recorded.
    pub(super) recorded: String,
    pub(super) story: Story,
    /// The differences from the recorded payloads; `None` where that was not looked at.
    pub(super) differences: Option<Vec<Difference>>,
}

/// The end of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Story {
    /// With a remark.
    Passed(String),
    /// Why was said already.
    Failed,
}

/// A difference of payloads, at one place of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// The event, and its tool behind it.
    event: String,
    /// The path of a member; empty for the event itself.
    at: String,
    change: Change,
}

/// The change of a member or an event, with its types.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Change {
    Came(String),
    Went(String),
    Changed { recorded: String, found: String },
}

impl Difference {
    /// From what the tests wrote; `None` where it is something else.
    pub(super) fn of(value: &Value) -> Option<Self> {
        let text = |member: &str| value[member].as_str().map(str::to_owned);
        let change = match value["change"].as_str()? {
            "came" => Change::Came(text("found")?),
            "went" => Change::Went(text("recorded")?),
            "changed" => Change::Changed {
                recorded: text("recorded")?,
                found: text("found")?,
            },
            _ => return None,
        };
        Some(Self {
            event: text("event")?,
            at: text("at")?,
            change,
        })
    }

    fn is_of_event(&self) -> bool {
        self.at.is_empty()
    }

    /// The text about it below its event.
    fn text(&self) -> String {
        let place = match self.is_of_event() {
            true => "the event".to_owned(),
            false => format!("`{}`", self.at),
        };
        match &self.change {
            Change::Came(_) if self.is_of_event() => format!("{place} came"),
            Change::Went(_) if self.is_of_event() => format!("{place} went"),
            Change::Came(types) => format!("{place} came ({types})"),
            Change::Went(types) => format!("{place} went ({types})"),
            Change::Changed { recorded, found } => {
                format!("{place} changed from {recorded} to {found}")
            }
        }
    }
}

impl Report {
    /// A line on the story, and the differences per event.
    pub(super) fn text(&self) -> String {
        let recorded = match self.version == self.recorded {
            true => "the recorded version".to_owned(),
            false => format!("recorded: {}", self.recorded),
        };
        let story = match &self.story {
            Story::Passed(remark) => format!("the story passed, {remark}"),
            Story::Failed => "the story failed".to_owned(),
        };
        let mut text = format!("{} {} ({recorded}): {story}\n", self.title, self.version);
        match self.differences.as_deref() {
            None => {}
            Some([]) => text.push_str("  its payloads have the recorded shapes\n"),
            Some(differences) => {
                let mut event = "";
                for difference in differences {
                    if difference.event != event {
                        event = &difference.event;
                        text.push_str(&format!("  {event}\n"));
                    }
                    text.push_str(&format!("    {}\n", difference.text()));
                }
            }
        }
        text
    }
}

/// The line at the end.
pub(super) fn totals(reports: &[Report]) -> String {
    let failed = reports
        .iter()
        .filter(|it| it.story == Story::Failed)
        .count();
    let passed = reports.len() - failed;
    let text = format!("{passed} passed, {failed} failed");
    let compared: Vec<&[Difference]> = reports
        .iter()
        .filter_map(|report| report.differences.as_deref())
        .collect();
    if compared.is_empty() {
        return text;
    }
    let all = compared.concat();
    if all.is_empty() {
        return format!("{text}; no payload differs from the recorded ones");
    }
    let count = |is_meant: fn(&Change) -> bool, is_of_event: bool| {
        let of_kind = |it: &&Difference| it.is_of_event() == is_of_event && is_meant(&it.change);
        all.iter().filter(of_kind).count()
    };
    let came: fn(&Change) -> bool = |change| matches!(change, Change::Came(_));
    let went: fn(&Change) -> bool = |change| matches!(change, Change::Went(_));
    let changed: fn(&Change) -> bool = |change| matches!(change, Change::Changed { .. });
    format!(
        "{text}; events: {} came, {} went; members: {} came, {} went, {} changed",
        count(came, true),
        count(went, true),
        count(came, false),
        count(went, false),
        all.iter().filter(|it| changed(&it.change)).count(),
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Difference, Report, Story, totals};
    use serde_json::json;

    fn difference(event: &str, at: &str, change: &str, types: [&str; 2]) -> Difference {
        let [recorded, found] = types;
        let value = json!({
            "event": event,
            "at": at,
            "change": change,
            "recorded": recorded,
            "found": found,
        });
        Difference::of(&value).unwrap()
    }

    fn report(story: Story, differences: Option<Vec<Difference>>) -> Report {
        Report {
            title: "Codex",
            version: "0.170.0".to_owned(),
            recorded: "0.169.0".to_owned(),
            story,
            differences,
        }
    }

    fn passed() -> Story {
        Story::Passed("9 tests".to_owned())
    }

    #[test]
    fn differences_stand_below_their_events() {
        let differences = vec![
            difference("PostToolUse create", "", "came", ["", "object"]),
            difference("Stop", "id", "changed", ["number", "string"]),
            difference("Stop", "list[].new", "came", ["", "null or number"]),
            difference("Stop", "text", "went", ["string", ""]),
            difference("SubagentStop", "", "went", ["object", ""]),
        ];
        let report = report(passed(), Some(differences));
        let expected = "\
Codex 0.170.0 (recorded: 0.169.0): the story passed, 9 tests
  PostToolUse create
    the event came
  Stop
    `id` changed from number to string
    `list[].new` came (null or number)
    `text` went (string)
  SubagentStop
    the event went
";
        assert_eq!(report.text(), expected);
        assert_eq!(
            totals(&[report]),
            "1 passed, 0 failed; events: 1 came, 1 went; members: 1 came, 1 went, 1 changed"
        );
    }

    #[test]
    fn payloads_without_a_difference_are_said_to_have_none() {
        let report = report(passed(), Some(Vec::new()));
        assert!(
            report
                .text()
                .contains("its payloads have the recorded shapes")
        );
        let all = [report.clone(), report];
        let expected = "2 passed, 0 failed; no payload differs from the recorded ones";
        assert_eq!(totals(&all), expected);
    }

    #[test]
    fn nothing_is_said_of_payloads_that_were_not_compared() {
        let mut recorded = report(passed(), None);
        recorded.version.clone_from(&recorded.recorded);
        let expected = "Codex 0.169.0 (the recorded version): the story passed, 9 tests\n";
        assert_eq!(recorded.text(), expected);
        let failed = report(Story::Failed, None);
        assert!(failed.text().ends_with("the story failed\n"));
        assert_eq!(totals(&[recorded, failed]), "1 passed, 1 failed");
    }

    #[test]
    fn something_else_than_a_difference_is_refused() {
        for value in [
            json!({}),
            json!([]),
            json!({"event": "Stop", "at": "a", "change": "moved", "recorded": "", "found": ""}),
            json!({"event": "Stop", "at": 1, "change": "came", "recorded": "", "found": "a"}),
            json!({"event": "Stop", "at": "a", "change": "changed", "recorded": "a"}),
        ] {
            assert_eq!(Difference::of(&value), None, "{value}");
        }
    }
}
