//! The progress of a long call: one line on a terminal's standard error, drawn over a few times a second, and
//! gone before anything else is printed.
//!
//! It counts what passes between a call and its host. No operation knows of it.

use std::cell::RefCell;

use crate::effect::{Effect, Outcome, PathKind, Stream};

use super::Invocation;

/// A call that is over by then shows nothing.
const PATIENCE_MS: f64 = 500.0;
/// Between two drawings.
const PAUSE_MS: f64 = 150.0;
/// The width of a terminal that does not know its own.
const USUAL_WIDTH: usize = 80;

/// A host that also shows the progress of a call, where that is seen.
pub fn watched<P: Fn(Effect) -> Outcome>(
    perform: P,
    invocation: Option<&Invocation>,
) -> impl Fn(Effect) -> Outcome + use<P> {
    let progress = ProgressMeter {
        perform,
        columns: invocation.and_then(columns),
        seen: RefCell::default(),
    };
    move |effect| progress.perform(effect)
}

/// The columns of the line; `None` where there is to be none.
fn columns(invocation: &Invocation) -> Option<usize> {
    let is_silent = |word: &String| ["-q", "--quiet", "--json"].contains(&word.as_str());
    if invocation.arguments.iter().any(is_silent) {
        return None;
    }
    match usize::try_from(invocation.progress?) {
        Ok(0) | Err(_) => Some(USUAL_WIDTH),
        Ok(columns) => Some(columns),
    }
}

struct ProgressMeter<P>
where
    P: Fn(Effect) -> Outcome,
{
    perform: P,
    columns: Option<usize>,
    seen: RefCell<ProgressState>,
}

/// The effects so far, and the line that is drawn of them.
#[derive(Default)]
struct ProgressState {
    began_ms: Option<f64>,
    drawn_ms: Option<f64>,
    /// The length of the line that is drawn.
    drawn: usize,
    looked_at: u64,
    read: Amount,
    written: Amount,
}

#[derive(Default)]
struct Amount {
    files: u64,
    bytes: u64,
}

/// The work of an effect, as far as it is counted.
#[derive(Clone, Copy)]
enum EffectWork {
    Look,
    /// True for the beginning of a file.
    Read(bool),
    /// True for a new file, and the number of bytes.
    Write(bool, usize),
}

impl EffectWork {
    fn of(effect: &Effect) -> Option<EffectWork> {
        Some(match effect {
            Effect::Scan { .. } => EffectWork::Look,
            Effect::Read { .. } | Effect::Part { offset: 0, .. } => EffectWork::Read(true),
            Effect::Part { .. } => EffectWork::Read(false),
            Effect::Create { bytes, .. } => EffectWork::Write(true, bytes.len()),
            Effect::Append { bytes, .. } => EffectWork::Write(false, bytes.len()),
            _ => return None,
        })
    }
}

impl<P> ProgressMeter<P>
where
    P: Fn(Effect) -> Outcome,
{
    fn perform(&self, effect: Effect) -> Outcome {
        let Some(columns) = self.columns else {
            return (self.perform)(effect);
        };
        match effect {
            Effect::Print { .. } => self.clear(),
            // The time that a user thinks is not work.
            Effect::Input { .. } => {
                self.clear();
                self.seen.take();
            }
            _ => {}
        }
        let work = EffectWork::of(&effect);
        let outcome = (self.perform)(effect);
        if let Some(work) = work {
            self.seen.borrow_mut().count(work, &outcome);
            self.draw(columns);
        }
        outcome
    }

    fn draw(&self, columns: usize) {
        let Outcome::Clock { monotonic_ms, .. } = (self.perform)(Effect::Clock) else {
            return;
        };
        if let Some(text) = self.seen.borrow_mut().drawing(monotonic_ms, columns) {
            self.print(text);
        }
    }

    fn clear(&self) {
        let drawn = std::mem::take(&mut self.seen.borrow_mut().drawn);
        if drawn > 0 {
            self.print(format!("\r{:drawn$}\r", ""));
        }
    }

    /// Where it is not seen, nothing is lost.
    fn print(&self, text: String) {
        let stream = Stream::Error;
        (self.perform)(Effect::Print { stream, text });
    }
}

/// A call may end without a word.
impl<P> Drop for ProgressMeter<P>
where
    P: Fn(Effect) -> Outcome,
{
    fn drop(&mut self) {
        self.clear();
    }
}

impl ProgressState {
    fn count(&mut self, work: EffectWork, outcome: &Outcome) {
        match (work, outcome) {
            (EffectWork::Look, Outcome::Scanned { entries, .. }) => {
                let files = entries.iter().filter(|it| it.entry.kind == PathKind::File);
                self.looked_at += files.count() as u64;
            }
            (EffectWork::Read(is_first), Outcome::Bytes(bytes)) => {
                self.read.add(is_first, bytes.len());
            }
            (EffectWork::Write(is_first, bytes), Outcome::Done) => {
                self.written.add(is_first, bytes);
            }
            _ => {}
        }
    }

    /// The text to print now, if any.
    fn drawing(&mut self, now_ms: f64, columns: usize) -> Option<String> {
        let began_ms = *self.began_ms.get_or_insert(now_ms);
        let is_early = now_ms - began_ms < PATIENCE_MS;
        if is_early || self.drawn_ms.is_some_and(|it| now_ms - it < PAUSE_MS) {
            return None;
        }
        let mut line = self.line();
        // In its last column a terminal may begin the next line.
        line.truncate(columns.saturating_sub(1));
        let before = std::mem::replace(&mut self.drawn, line.len());
        self.drawn_ms = Some(now_ms);
        Some(format!("\r{line:before$}"))
    }

    /// The line, which is ASCII.
    fn line(&self) -> String {
        let mut parts = Vec::new();
        if self.looked_at > 0 {
            parts.push(format!("{} files looked at", self.looked_at));
        }
        for (amount, word) in [(&self.read, "read"), (&self.written, "written")] {
            if amount.files > 0 {
                parts.push(format!("{} {word} ({})", amount.files, size(amount.bytes)));
            }
        }
        format!("milepost: {}", parts.join(", "))
    }
}

impl Amount {
    fn add(&mut self, is_first: bool, bytes: usize) {
        self.files += u64::from(is_first);
        self.bytes += bytes as u64;
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::effect::{Access, PathEntry, Scanned, Sync};

    /// A host whose clock goes on by `tick_ms` with each look at it, and what it printed.
    fn host(tick_ms: f64) -> (impl Fn(Effect) -> Outcome, Rc<RefCell<Vec<String>>>) {
        let printed = Rc::new(RefCell::new(Vec::new()));
        let log = Rc::clone(&printed);
        let now_ms = RefCell::new(0.0);
        let perform = move |effect| match effect {
            Effect::Clock => Outcome::Clock {
                wall_ms: 0.0,
                monotonic_ms: now_ms.replace_with(|now| *now + tick_ms),
            },
            Effect::Print { text, .. } => {
                log.borrow_mut().push(text);
                Outcome::Done
            }
            Effect::Scan { .. } => Outcome::Scanned {
                entries: vec![scanned(PathKind::File), scanned(PathKind::Folder)],
                complete: true,
            },
            Effect::Part { length, .. } => Outcome::Bytes(vec![0; length as usize]),
            _ => Outcome::Done,
        };
        (perform, printed)
    }

    fn scanned(kind: PathKind) -> Scanned {
        Scanned {
            name: "a".to_owned(),
            entry: PathEntry {
                kind,
                size: 0,
                mode: None,
            },
            modified_ms: 0.0,
            changed_ms: 0.0,
            number: 0,
        }
    }

    fn invocation(words: &str, progress: Option<u64>) -> Invocation {
        let words: Vec<String> = words.split(' ').map(|it| format!("{it:?}")).collect();
        let progress = progress.map_or("null".to_owned(), |columns| columns.to_string());
        let text = format!(
            r#"{{"arguments": [{}], "place": {{}}, "color": false, "progress": {progress}}}"#,
            words.join(",")
        );
        Invocation::read(text.as_bytes()).unwrap()
    }

    fn part(offset: u64) -> Effect {
        Effect::Part {
            path: "a".to_owned(),
            offset,
            length: 700_000,
            links: crate::effect::Links::Refuse,
        }
    }

    fn print(text: &str) -> Effect {
        Effect::Print {
            stream: Stream::Output,
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_line_of_progress_is_cleared_before_the_answer_and_drawn_seldom() {
        let (perform, printed) = host(100.0);
        let host = watched(perform, Some(&invocation("create", Some(0))));
        let folder = "a".to_owned();
        host(Effect::Scan { folder, limit: 9 });
        for piece in 0..8 {
            host(part(piece % 2 * 700_000));
        }
        host(Effect::Create {
            path: "b".to_owned(),
            bytes: vec![0; 1500],
            sync: Sync::Lazy,
            access: Access::Owner,
        });
        host(print("made\n"));
        drop(host);
        let last = "milepost: 1 files looked at, 4 read (5 MB), 1 written (1 kB)";
        let clear = format!("\r{:1$}\r", "", last.len());
        let before = "\rmilepost: 1 files looked at, 3 read (3 MB)".to_owned();
        assert_eq!(
            *printed.borrow(),
            [
                before.clone(),
                before.replace("3 read (3 MB)", "4 read (4 MB)"),
                format!("\r{last}"),
                clear,
                "made\n".to_owned()
            ]
        );
    }

    #[test]
    fn a_call_without_an_answer_clears_its_line_of_progress() {
        let (perform, printed) = host(600.0);
        let host = watched(perform, Some(&invocation("create", Some(20))));
        host(part(0));
        host(part(0));
        drop(host);
        assert_eq!(
            *printed.borrow(),
            ["\rmilepost: 2 read (1", "\r                   \r"]
        );
    }

    #[test]
    fn the_time_that_a_user_thinks_is_not_work() {
        let (perform, printed) = host(300.0);
        let host = watched(perform, Some(&invocation("restore", Some(80))));
        for _ in 0..3 {
            host(part(0));
        }
        let (limit, until) = (9, crate::effect::Until::Line);
        host(Effect::Input { limit, until });
        host(part(0));
        host(part(0));
        let printed = printed.borrow();
        assert_eq!(printed.len(), 2, "{printed:?}");
    }

    #[test]
    fn progress_is_not_drawn_where_it_is_not_seen() {
        for (words, columns) in [
            ("create --quiet", Some(80)),
            ("create -q", Some(80)),
            ("create --json", Some(80)),
            ("create", None),
        ] {
            let (perform, printed) = host(10_000.0);
            let host = watched(perform, Some(&invocation(words, columns)));
            for _ in 0..9 {
                host(part(0));
            }
            drop(host);
            assert!(printed.borrow().is_empty(), "{words}");
        }
    }
}
