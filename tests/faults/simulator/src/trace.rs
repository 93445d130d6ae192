//! What happens in a run, a line for each thing.

use std::fmt;

use milepost::effect::{Effect, Outcome};
use milepost::error::Error;

use crate::job::Ended;
use crate::oracle::Watched;

/// Left out of paths.
const FOLDER: &str = "/r/.claude/state/";
/// Longer texts are cut.
const WIDTH: usize = 120;

/// Where the lines go; nowhere by default.
#[derive(Default)]
pub struct Trace {
    tell: Option<Box<dyn FnMut(String)>>,
}

impl Trace {
    /// Each line goes to `tell`.
    pub fn new(tell: impl FnMut(String) + 'static) -> Self {
        Self {
            tell: Some(Box::new(tell)),
        }
    }

    fn line(&mut self, now_ms: f64, who: Option<&Watched>, what: impl FnOnce() -> String) {
        let Some(tell) = &mut self.tell else {
            return;
        };
        let who = who.map(|it| format!("#{} {:?}", it.by, it.job));
        let what = what().replace(FOLDER, "");
        let what: String = what.chars().take(WIDTH).collect();
        tell(format!(
            "{now_ms:10.2}  {:16}  {what}",
            who.unwrap_or_default()
        ));
    }

    pub(crate) fn happens(&mut self, now_ms: f64, what: &str) {
        self.line(now_ms, None, || what.to_owned());
    }

    pub(crate) fn tells(&mut self, now_ms: f64, what: impl FnOnce() -> String) {
        self.line(now_ms, None, what);
    }

    pub(crate) fn is(&mut self, who: &Watched, now_ms: f64, what: &str) {
        self.line(now_ms, Some(who), || what.to_owned());
    }

    pub(crate) fn does(&mut self, who: &Watched, now_ms: f64, effect: &Effect) {
        self.line(now_ms, Some(who), || match effect {
            Effect::Create { path, bytes, .. } => {
                format!("Create {path}, {} bytes", bytes.len())
            }
            effect => format!("{effect:?}"),
        });
    }

    pub(crate) fn sees(&mut self, who: &Watched, now_ms: f64, outcome: &Outcome) {
        self.line(now_ms, Some(who), || match outcome {
            Outcome::Bytes(bytes) => format!("  {} bytes", bytes.len()),
            outcome => format!("  {outcome:?}"),
        });
    }

    pub(crate) fn ends(&mut self, who: &Watched, now_ms: f64, result: &Result<Ended, Error>) {
        self.line(now_ms, Some(who), || match result {
            Ok(Ended::Read(Some((revision, _)))) => format!("read revision {revision}"),
            Ok(ended) => format!("{ended:?}"),
            Err(error) => format!("failed: {error}"),
        });
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Trace")
    }
}
