//! The trace of a run, a line for each thing that happens.

use std::fmt;

/// Left out of paths.
const FOLDER: &str = "/r/.claude/state/";
/// Longer texts are cut.
const WIDTH: usize = 120;

/// The destination of the lines; none by default.
#[derive(Default)]
pub struct Trace {
    sink: Option<Box<dyn FnMut(String)>>,
}

impl Trace {
    /// Each line goes to `sink`.
    pub fn new(sink: impl FnMut(String) + 'static) -> Self {
        Self {
            sink: Some(Box::new(sink)),
        }
    }

    /// Writes a line about `who`, which may be empty.
    pub(crate) fn line(
        &mut self,
        now_ms: f64,
        who: Option<&(impl fmt::Display + ?Sized)>,
        what: impl FnOnce() -> String,
    ) {
        let Some(sink) = &mut self.sink else {
            return;
        };
        let who = who.map(ToString::to_string).unwrap_or_default();
        let what = what().replace(FOLDER, "");
        let what: String = what.chars().take(WIDTH).collect();
        sink(format!("{now_ms:10.2}  {who:16}  {what}"));
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Trace")
    }
}
