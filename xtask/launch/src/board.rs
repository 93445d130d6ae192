//! The lines that show which steps are in progress: redrawn on a terminal, each once elsewhere.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

/// Work that was not announced, and is over sooner than this, is not shown.
const WORTH_A_LINE: Duration = Duration::from_secs(2);
const REDRAWN_EVERY: Duration = Duration::from_millis(200);
/// Columns that every terminal has.
const WIDTH: usize = 79;

/// Shows steps on standard error for as long as it lives.
pub struct Board {
    shown: Arc<Mutex<Shown>>,
    stop: Option<Sender<()>>,
    ticker: Option<JoinHandle<()>>,
}

struct Shown {
    began: SystemTime,
    is_announced: bool,
    redraws: bool,
    steps: usize,
    done: usize,
    active: Vec<Active>,
    /// Of the steps in progress, such as what a compiler is at.
    detail: String,
}

struct Active {
    name: &'static str,
    since: Instant,
    is_printed: bool,
}

impl Board {
    /// Of so many steps some are done. Steps that were announced are shown from their first moment, and when they end.
    #[must_use]
    pub fn new(steps: usize, done: usize, announced: Option<SystemTime>) -> Self {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let shown = Arc::new(Mutex::new(Shown {
            began: announced.unwrap_or_else(SystemTime::now),
            is_announced: announced.is_some(),
            // Not every terminal of Windows has been asked to understand escapes.
            redraws: io::stderr().is_terminal() && !is_dumb && !cfg!(windows),
            steps,
            done,
            active: Vec::new(),
            detail: String::new(),
        }));
        let (stop, stopped) = mpsc::channel();
        let ticked = Arc::clone(&shown);
        let ticker = thread::spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(REDRAWN_EVERY) {
                lock(&ticked).draw();
            }
        });
        Self {
            shown,
            stop: Some(stop),
            ticker: Some(ticker),
        }
    }

    /// A step begins.
    pub fn begin(&self, name: &'static str) {
        let mut shown = lock(&self.shown);
        shown.active.push(Active {
            name,
            since: Instant::now(),
            is_printed: false,
        });
        shown.draw();
    }

    /// Shows the detail that the steps in progress are at.
    pub fn detail(&self, text: &str) {
        text.clone_into(&mut lock(&self.shown).detail);
    }

    /// A step is done.
    pub fn end(&self, name: &'static str) {
        let mut shown = lock(&self.shown);
        shown.active.retain(|step| step.name != name);
        shown.done += 1;
        shown.detail.clear();
        if shown.is_announced && shown.redraws {
            shown.print(&shown.line(shown.done, name));
        }
        shown.draw();
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(ticker) = self.ticker.take() {
            drop(ticker.join());
        }
        let shown = lock(&self.shown);
        if shown.redraws {
            write("\r\x1b[2K");
        }
    }
}

fn lock(shown: &Mutex<Shown>) -> MutexGuard<'_, Shown> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a text; one that cannot be shown is left out.
fn write(text: &str) {
    drop(io::stderr().write_all(text.as_bytes()));
}

impl Shown {
    fn draw(&mut self) {
        let is_worth = |step: &Active| self.is_announced || step.since.elapsed() >= WORTH_A_LINE;
        if !self.active.iter().any(is_worth) {
            return;
        }
        if self.redraws {
            let names: Vec<_> = self.active.iter().map(|step| step.name).collect();
            let mut text = names.join(", ");
            if !self.detail.is_empty() {
                text = format!("{text}: {}", self.detail);
            }
            write(&format!("\r\x1b[2K{}", self.line(self.done + 1, &text)));
            return;
        }
        let begun: Vec<_> = self.active.iter().map(is_worth).collect();
        for (at, is_worth) in begun.into_iter().enumerate() {
            if is_worth && !self.active[at].is_printed {
                self.active[at].is_printed = true;
                let others = self.active[..at].len();
                let number = self.done + 1 + others;
                self.print(&self.line(number, &format!("{} …", self.active[at].name)));
            }
        }
    }

    fn print(&self, line: &str) {
        let start = if self.redraws { "\r\x1b[2K" } else { "" };
        write(&format!("{start}{line}\n"));
    }

    /// The number, the time gone by, and the step.
    fn line(&self, number: usize, text: &str) -> String {
        let gone = self.began.elapsed().unwrap_or_default();
        let line = format!("{}{}  {text}", counted(number, self.steps), clock(gone));
        line.chars().take(WIDTH).collect()
    }
}

/// A single step is not counted.
fn counted(number: usize, steps: usize) -> String {
    match steps {
        1 => String::new(),
        _ => format!("{number} of {steps}  "),
    }
}

/// Minutes and seconds.
fn clock(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

#[cfg(test)]
mod tests {
    use super::{Shown, clock, counted};
    use std::time::{Duration, SystemTime};

    #[test]
    fn time_is_minutes_and_seconds() {
        assert_eq!(clock(Duration::from_secs(7)), "0:07");
        assert_eq!(clock(Duration::from_secs(754)), "12:34");
    }

    #[test]
    fn line_fits_any_terminal() {
        let shown = Shown {
            began: SystemTime::now(),
            is_announced: true,
            redraws: true,
            steps: 5,
            done: 1,
            active: Vec::new(),
            detail: String::new(),
        };
        assert!(shown.line(2, &"é".repeat(200)).chars().count() < 80);
        assert!(shown.line(2, "snapshots").starts_with("2 of 5  0:0"));
    }

    #[test]
    fn single_step_has_no_number() {
        assert_eq!(counted(1, 1), "");
        assert_eq!(counted(2, 5), "2 of 5  ");
    }
}
