//! The plan that an agent keeps by itself, as phases.

/// What an agent said of its plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Its items.
    pub items: Vec<Item>,
    /// Whether these are all of them, so that another one of before was taken out.
    pub is_whole: bool,
}

/// One item of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its id, where the agent has such: what is said of it later may have nothing else.
    pub id: Option<String>,
    /// What is to be done.
    pub name: Option<String>,
    /// How far it is, where that is known.
    pub progress: Option<Progress>,
}

/// How far an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Not yet begun, or held up.
    Pending,
    /// Being worked on.
    InProgress,
    /// Done.
    Complete,
    /// Taken out of the plan.
    Cancelled,
}

/// A phase's name has so many characters at most.
const LONGEST: usize = 100;

impl Progress {
    /// From the words of the agents.
    pub(super) fn parse(word: &str) -> Option<Progress> {
        match word {
            "pending" | "blocked" | "open" | "todo" | "not_started" => Some(Progress::Pending),
            "in_progress" => Some(Progress::InProgress),
            "completed" | "complete" | "done" | "closed" => Some(Progress::Complete),
            "deleted" | "cancelled" | "canceled" | "skipped" => Some(Progress::Cancelled),
            _ => None,
        }
    }
}

/// The name of the phase for an item: one line, cut where a name ends. `None` where nothing is left.
pub fn phase_name(text: &str) -> Option<String> {
    let mut name = String::with_capacity(text.len().min(4 * LONGEST));
    let mut length = 0;
    let is_space = |it: char| it.is_whitespace() || it.is_control();
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        let separate = usize::from(length > 0);
        let room = (LONGEST - length).saturating_sub(separate);
        if room == 0 {
            break;
        }
        if separate == 1 {
            name.push(' ');
        }
        let before = name.chars().count();
        name.extend(word.chars().take(room));
        length = before + word.chars().count().min(room);
    }
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::phase_name;

    #[test]
    fn a_subject_becomes_a_name_that_a_phase_may_have() {
        assert_eq!(phase_name("Write the parser").unwrap(), "Write the parser");
        assert_eq!(phase_name(" a\n\tb \u{1b}[2J ").unwrap(), "a b [2J");
        assert_eq!(phase_name(" \n\u{0} "), None);
        for length in 95..106 {
            let name = phase_name(&format!("{} ä", "x".repeat(length))).unwrap();
            assert!(name.chars().count() <= 100, "{length}");
            assert!(!name.ends_with(' '), "{length}");
        }
        let words = "wörd ".repeat(50);
        assert_eq!(phase_name(&words).unwrap().chars().count(), 99);
    }
}
