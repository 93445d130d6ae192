//! The author of a change of the worktree: an agent, or a person.
//!
//! A timeline has the moments at which the worktree was scanned: before each prompt, at the end of each turn, and around
//! each rewind. What differs between a prompt and the end of its turn is the agent's. What differs between the end
//! of a turn and the next prompt is a person's. Where turns of several sessions overlap, a change is that of the one
//! session whose tools named the path; else it is unclear, and so is a change in a turn whose end was not seen. Such a
//! turn is given up at the end of its session, at its next prompt, or once its process is gone: what comes later is not
//! of it.

use std::ops::Range;

/// The occasion of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// Right before a prompt of the user.
    Prompt,
    /// The agent ended its turn.
    Stop,
    /// A tool of the agent wrote files after the end of its turn, before any prompt: the turn goes on.
    Tool,
    /// The session ended; a turn that is under way is given up.
    End,
    /// Right before a rewind, or now.
    Scan,
    /// Right after a rewind.
    Rewind,
}

impl Occasion {
    /// As it is stored; `None` for a scan, which is stored as the undo of a rewind.
    pub const fn as_str(self) -> Option<&'static str> {
        match self {
            Occasion::Prompt => Some("prompt"),
            Occasion::Stop => Some("stop"),
            Occasion::Tool => Some("tool"),
            Occasion::End => Some("end"),
            Occasion::Rewind => Some("rewind"),
            Occasion::Scan => None,
        }
    }

    /// From what is stored.
    pub fn of(text: &str) -> Option<Occasion> {
        let all = [
            Occasion::Prompt,
            Occasion::Stop,
            Occasion::Tool,
            Occasion::End,
            Occasion::Rewind,
        ];
        all.into_iter().find(|it| it.as_str() == Some(text))
    }
}

/// A moment of the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineMoment<'a> {
    /// The occasion.
    pub occasion: Occasion,
    /// The session; empty for a scan.
    pub session: &'a str,
    /// The files that tools of the session have named so far, where the turn ends.
    pub named: Vec<&'a str>,
    /// The files that a tool wrote since the moment before.
    pub wrote: Vec<&'a str>,
    /// True if a turn ends that had ended before, and went on because a hook of the user refused that.
    pub is_continued: bool,
    /// The other sessions that were found to be gone, with their turns under way.
    pub given_up: Vec<&'a str>,
}

impl TimelineMoment<'_> {
    /// A scan of no session.
    pub fn scan() -> Self {
        TimelineMoment {
            occasion: Occasion::Scan,
            session: "",
            named: Vec::new(),
            wrote: Vec::new(),
            is_continued: false,
            given_up: Vec::new(),
        }
    }
}

/// The state of a path at a moment: equal texts are equal states. `None` where it is unknown.
pub type StateKey = Option<String>;

/// The answer to whether a path is taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathOwner<'a> {
    /// It is unchanged.
    Unchanged,
    /// Only turns of these sessions changed it.
    Agent(Vec<&'a str>),
    /// A person changed it, and no agent did.
    Person,
    /// An agent changed it, and a person did afterwards or before.
    Both,
    /// It was changed in a turn without an end, or in turns that overlap.
    Unclear,
    /// It is not known at moments that would tell whose a change is.
    Unknown,
}

impl<'a> PathOwner<'a> {
    /// The sessions whose turns alone changed it.
    pub fn sessions(&self) -> Vec<&'a str> {
        match self {
            PathOwner::Agent(sessions) => sessions.clone(),
            _ => Vec::new(),
        }
    }
}

/// One who changed a path between two moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Author<'a> {
    Agent(&'a str),
    Person,
    Unclear,
}

/// A turn: from its prompt to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn<'a> {
    session: &'a str,
    from: usize,
    /// The moment that ends it: its stop, or the one at which it was given up.
    to: usize,
    is_ended: bool,
}

/// The turns of a timeline.
#[derive(Clone, Debug)]
pub struct TurnTimeline<'a> {
    moments: Vec<TimelineMoment<'a>>,
    turns: Vec<Turn<'a>>,
}

impl<'a> TurnTimeline<'a> {
    /// Of moments in the order of time. The last one is now.
    pub fn new(moments: Vec<TimelineMoment<'a>>) -> Self {
        let mut turns: Vec<Turn<'a>> = Vec::new();
        let mut open: Vec<(&'a str, usize)> = Vec::new();
        // The sessions whose turns ended, without a prompt since.
        let mut stopped: Vec<(&'a str, usize)> = Vec::new();
        let mut close = |open: &mut Vec<(&'a str, usize)>, session: &str, to, is_ended| {
            if let Some(known) = open.iter().position(|(it, _)| *it == session) {
                let (session, from) = open.swap_remove(known);
                turns.push(Turn {
                    session,
                    from,
                    to,
                    is_ended,
                });
            }
        };
        for (at, moment) in moments.iter().enumerate() {
            for session in &moment.given_up {
                close(&mut open, session, at, false);
            }
            let is_of = |(it, _): &(&str, usize)| *it == moment.session;
            match moment.occasion {
                Occasion::Stop => {
                    let before = stopped.iter().position(is_of);
                    let before = before.map(|it| stopped.swap_remove(it));
                    if let Some(since) = before.filter(|_| moment.is_continued) {
                        open.retain(|it| !is_of(it));
                        open.push(since);
                    }
                    close(&mut open, moment.session, at, true);
                    stopped.push((moment.session, at));
                }
                Occasion::Tool if open.iter().any(is_of) => {}
                Occasion::Tool => open.push((moment.session, at)),
                Occasion::Prompt | Occasion::End => {
                    close(&mut open, moment.session, at, false);
                    stopped.retain(|it| !is_of(it));
                }
                Occasion::Scan | Occasion::Rewind => {}
            }
            if moment.occasion == Occasion::Prompt {
                open.push((moment.session, at));
            }
        }
        let last = moments.len().saturating_sub(1);
        let open = open.into_iter().map(|(session, from)| Turn {
            session,
            from,
            to: last,
            is_ended: false,
        });
        turns.extend(open);
        TurnTimeline { moments, turns }
    }

    /// Returns who changed a path between a moment and the next one.
    fn author(&self, at: usize, path: &str) -> Author<'a> {
        let next = &self.moments[at + 1];
        if next.occasion == Occasion::Rewind {
            return Author::Agent(next.session);
        }
        let turns = self.turns.iter().copied();
        let mut covering: Vec<Turn<'a>> = turns.filter(|it| it.from <= at && it.to > at).collect();
        let is_written = next.wrote.contains(&path);
        if is_written && covering.iter().all(|it| it.session != next.session) {
            covering.push(Turn {
                session: next.session,
                from: at,
                to: at + 1,
                is_ended: true,
            });
        }
        match covering.as_slice() {
            [] => Author::Person,
            [turn] if turn.is_ended => Author::Agent(turn.session),
            [_] => Author::Unclear,
            several => {
                // A run lists the files of its earlier turns, too.
                let has_named = |turn: &&Turn<'a>| {
                    let [before, after] = [turn.from, turn.to].map(|it| &self.moments[it].named);
                    let is_new = after.contains(&path) && !before.contains(&path);
                    is_new || is_written && turn.session == next.session
                };
                let mut named = several.iter().filter(has_named);
                match (named.next(), named.next()) {
                    (Some(turn), None) if several.iter().all(|it| it.is_ended) => {
                        Author::Agent(turn.session)
                    }
                    _ => Author::Unclear,
                }
            }
        }
    }

    /// Returns who changed a path between two moments at which its state is known; `None` where it may have been
    /// several, of whom each did a part.
    fn author_within(&self, moments: Range<usize>, path: &str) -> Option<Author<'a>> {
        let mut authors = moments.map(|at| self.author(at, path));
        let first = authors.next()?;
        authors.all(|it| it == first).then_some(first)
    }

    /// Returns whose the changes of a path are since a moment, by its states at that moment and at each later one.
    ///
    /// Where the path had the state of that moment again later, what was before is of no matter. Where its state is unknown
    /// at a moment, it is that of the known ones before and after, or it changed in between.
    pub fn owner(&self, from: usize, path: &str, states: &[StateKey]) -> PathOwner<'a> {
        let (Some(then), Some(now)) = (states.first(), states.last()) else {
            return PathOwner::Unknown;
        };
        if then == now && then.is_some() {
            return PathOwner::Unchanged;
        }
        if then.is_none() || now.is_none() {
            return PathOwner::Unknown;
        }
        let begin = states.iter().rposition(|it| it == then).unwrap_or_default();
        let known: Vec<usize> = (begin..states.len())
            .filter(|at| states[*at].is_some())
            .collect();
        let mut sessions: Vec<&'a str> = Vec::new();
        let (mut by_person, mut is_unclear, mut is_unknown) = (false, false, false);
        for pair in known.windows(2) {
            if states[pair[0]] == states[pair[1]] {
                continue;
            }
            match self.author_within(from + pair[0]..from + pair[1], path) {
                Some(Author::Agent(session)) if sessions.contains(&session) => {}
                Some(Author::Agent(session)) => sessions.push(session),
                Some(Author::Person) => by_person = true,
                Some(Author::Unclear) => is_unclear = true,
                None => is_unknown = true,
            }
        }
        match (sessions.is_empty(), by_person, is_unclear) {
            _ if is_unknown => PathOwner::Unknown,
            (_, _, true) => PathOwner::Unclear,
            (true, _, _) => PathOwner::Person,
            (false, true, _) => PathOwner::Both,
            (false, false, _) => PathOwner::Agent(sessions),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Occasion, PathOwner, StateKey, TimelineMoment, TurnTimeline};

    fn moments<'a>(words: &[(Occasion, &'a str)]) -> Vec<TimelineMoment<'a>> {
        let moment = |(occasion, session): &(Occasion, &'a str)| TimelineMoment {
            occasion: *occasion,
            session,
            ..TimelineMoment::scan()
        };
        words.iter().map(moment).collect()
    }

    fn states(keys: &str) -> Vec<StateKey> {
        let key = |it: char| (it != '?').then(|| it.to_string());
        keys.chars().map(key).collect()
    }

    use Occasion::{End, Prompt, Rewind, Scan, Stop, Tool};

    #[test]
    fn a_change_within_a_turn_is_the_agents_and_one_between_turns_is_a_persons() {
        let moments = moments(&[
            (Prompt, "s"),
            (Stop, "s"),
            (Prompt, "s"),
            (Stop, "s"),
            (Scan, ""),
        ]);
        let timeline = TurnTimeline::new(moments);
        for (keys, expected) in [
            ("aaaaa", PathOwner::Unchanged),
            ("abbbb", PathOwner::Agent(vec!["s"])),
            ("abbcc", PathOwner::Agent(vec!["s"])),
            ("aabbb", PathOwner::Person),
            ("aaaab", PathOwner::Person),
            ("abccc", PathOwner::Both),
            ("abbbc", PathOwner::Both),
            ("abbcd", PathOwner::Both),
            // It was as then once more before the agent changed it again.
            ("abaab", PathOwner::Person),
            ("abacc", PathOwner::Agent(vec!["s"])),
            ("a?bbb", PathOwner::Unknown),
            // Unchanged around the moment at which it is unknown, or changed by one alone.
            ("abb?b", PathOwner::Agent(vec!["s"])),
            ("abbb?", PathOwner::Unknown),
            ("aab?b", PathOwner::Person),
            ("a?aab", PathOwner::Person),
            ("a??ab", PathOwner::Person),
            ("a?aab", PathOwner::Person),
            ("?bbbb", PathOwner::Unknown),
        ] {
            let owner = timeline.owner(0, "path", &states(keys));
            assert_eq!(owner, expected, "{keys}");
        }
    }

    #[test]
    fn a_change_in_a_turn_without_an_end_is_unclear() {
        let moments = moments(&[
            (Prompt, "s"),
            (Prompt, "s"),
            (Stop, "s"),
            (Prompt, "s"),
            (Scan, ""),
        ]);
        let timeline = TurnTimeline::new(moments);
        for (keys, expected) in [
            ("abbbb", PathOwner::Unclear),
            ("aabbb", PathOwner::Agent(vec!["s"])),
            ("aaabb", PathOwner::Person),
            ("aaaab", PathOwner::Unclear),
        ] {
            let owner = timeline.owner(0, "path", &states(keys));
            assert_eq!(owner, expected, "{keys}");
        }
    }

    #[test]
    fn a_turn_that_was_given_up_leaves_later_ones_as_clear_as_they_are() {
        let mut killed = moments(&[
            (Prompt, "s"),
            (Prompt, "t"),
            (Stop, "t"),
            (Prompt, "t"),
            (Scan, ""),
        ]);
        let timeline = TurnTimeline::new(killed.clone());
        let owner = timeline.owner(1, "path", &states("abbb"));
        assert_eq!(owner, PathOwner::Unclear);
        killed[1].given_up = vec!["s"];
        let ended = moments(&[
            (Prompt, "s"),
            (End, "s"),
            (Prompt, "t"),
            (Stop, "t"),
            (Scan, ""),
        ]);
        for (moments, from, keys, expected) in [
            (&killed, 0, "abbbb", PathOwner::Unclear),
            (&killed, 0, "aabbb", PathOwner::Agent(vec!["t"])),
            (&killed, 0, "aaabb", PathOwner::Person),
            (&ended, 0, "abbbb", PathOwner::Unclear),
            (&ended, 0, "aabbb", PathOwner::Person),
            (&ended, 0, "aaabb", PathOwner::Agent(vec!["t"])),
            (&ended, 2, "abb", PathOwner::Agent(vec!["t"])),
        ] {
            let timeline = TurnTimeline::new(moments.clone());
            let owner = timeline.owner(from, "path", &states(keys));
            assert_eq!(owner, expected, "{from} {keys}");
        }
    }

    #[test]
    fn a_turn_that_goes_on_after_its_end_is_the_agents_from_its_first_tool_on() {
        let mut moments = moments(&[
            (Prompt, "s"),
            (Stop, "s"),
            (Tool, "s"),
            (Stop, "s"),
            (Prompt, "s"),
            (Scan, ""),
        ]);
        moments[2].wrote = vec!["written"];
        let agent = PathOwner::Agent(vec!["s"]);
        for (path, keys, expected) in [
            ("written", "aabbbb", &agent),
            ("other", "aabbbb", &PathOwner::Person),
            ("other", "aaabbb", &agent),
            ("other", "aaaabb", &PathOwner::Person),
            ("written", "abcddd", &agent),
            ("other", "abcddd", &PathOwner::Both),
        ] {
            let timeline = TurnTimeline::new(moments.clone());
            let owner = timeline.owner(0, path, &states(keys));
            assert_eq!(owner, *expected, "{path} {keys}");
        }
        // A hook refused the end: all since is the agent's, and also without a tool that names a file.
        moments[3].is_continued = true;
        for moments in [moments.clone(), {
            moments[2] = TimelineMoment::scan();
            moments
        }] {
            let timeline = TurnTimeline::new(moments);
            for keys in ["aabbbb", "aaabbb", "abcddd"] {
                let owner = timeline.owner(0, "other", &states(keys));
                assert_eq!(owner, agent, "{keys}");
            }
            let owner = timeline.owner(0, "other", &states("aaaabb"));
            assert_eq!(owner, PathOwner::Person);
        }
    }

    #[test]
    fn a_change_in_turns_that_overlap_is_that_of_the_session_whose_tools_named_the_path() {
        let mut moments = moments(&[
            (Prompt, "s"),
            (Prompt, "t"),
            (Stop, "s"),
            (Stop, "t"),
            (Scan, ""),
        ]);
        moments[2].named = vec!["of-s", "both"];
        moments[3].named = vec!["of-t", "both"];
        moments[0].named = vec!["earlier"];
        moments[2].named.push("earlier");
        let timeline = TurnTimeline::new(moments);
        for (path, keys, expected) in [
            ("earlier", "aabbb", PathOwner::Unclear),
            ("any", "abbbb", PathOwner::Agent(vec!["s"])),
            ("any", "aaabb", PathOwner::Agent(vec!["t"])),
            ("any", "aabbb", PathOwner::Unclear),
            ("both", "aabbb", PathOwner::Unclear),
            ("of-s", "aabbb", PathOwner::Agent(vec!["s"])),
            ("of-t", "aabbb", PathOwner::Agent(vec!["t"])),
            ("of-t", "abccc", PathOwner::Agent(vec!["s", "t"])),
        ] {
            let owner = timeline.owner(0, path, &states(keys));
            assert_eq!(owner, expected, "{path} {keys}");
        }
    }

    #[test]
    fn a_rewind_is_no_persons_change() {
        let moments = moments(&[
            (Prompt, "s"),
            (Stop, "s"),
            (Scan, ""),
            (Rewind, "s"),
            (Prompt, "s"),
            (Stop, "s"),
            (Scan, ""),
        ]);
        let timeline = TurnTimeline::new(moments);
        for (keys, expected) in [
            ("abbaacc", PathOwner::Agent(vec!["s"])),
            ("abbcccc", PathOwner::Agent(vec!["s"])),
            ("abcaabb", PathOwner::Agent(vec!["s"])),
            ("abbaabc", PathOwner::Both),
        ] {
            let owner = timeline.owner(0, "path", &states(keys));
            assert_eq!(owner, expected, "{keys}");
        }
    }
}
