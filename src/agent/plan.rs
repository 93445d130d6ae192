//! The plan that an agent keeps by itself, as phases.

/// A change to its plan that an agent reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanUpdate {
    /// Its items.
    pub items: Vec<Item>,
    /// Set where these are all items, so that a missing one was taken out.
    pub is_whole: bool,
}

/// One item of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Its id, where the agent has such: what is said of it later may have nothing else.
    pub id: Option<String>,
    /// Its text.
    pub name: Option<String>,
    /// Its progress, where that is known.
    pub progress: Option<PlanItemProgress>,
    /// Set where the event created the item.
    pub is_new: bool,
    /// The call of the tool, as the agent numbers them.
    pub call: Option<String>,
}

/// The progress of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanItemProgress {
    /// Not yet begun, or held up.
    Pending,
    /// Being worked on.
    InProgress,
    /// Done.
    Complete,
    /// Taken out of the plan.
    Cancelled,
}

impl PlanItemProgress {
    /// From the words of the agents.
    pub(super) fn parse(word: &str) -> Option<PlanItemProgress> {
        match word {
            "pending" | "blocked" | "open" | "todo" | "not_started" => {
                Some(PlanItemProgress::Pending)
            }
            "in_progress" => Some(PlanItemProgress::InProgress),
            "completed" | "complete" | "done" | "closed" => Some(PlanItemProgress::Complete),
            "deleted" | "cancelled" | "canceled" | "skipped" => Some(PlanItemProgress::Cancelled),
            _ => None,
        }
    }
}

/// The text of an item on one line. `None` where nothing is left.
pub fn one_line(text: &str) -> Option<String> {
    let words = text.split(|it: char| it.is_whitespace() || it.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn the_text_of_an_item_is_one_line_without_control_characters() {
        assert_eq!(one_line("Write the parser").unwrap(), "Write the parser");
        assert_eq!(one_line(" a\n\tb \u{1b}[2J ").unwrap(), "a b [2J");
        assert_eq!(one_line(" \n\u{0} "), None);
    }
}
