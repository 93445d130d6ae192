//! An examination, for people.

use std::fmt::Write;

use crate::doctor::{Finding, Level};
use crate::text::visible;

use super::answer::{Answer, Exit};
use super::render::Paint;

/// What follows a finding stands under its sentence.
const INDENT: &str = "         ";

pub(super) fn report(findings: Vec<Finding>, paint: Paint) -> Answer {
    let mut text = String::new();
    for finding in &findings {
        tell(&mut text, finding, paint);
    }
    let wrong = findings.iter().filter(|finding| finding.is_wrong()).count();
    let (verdict, exit) = match wrong {
        0 => (paint.good("Nothing has to be mended"), Exit::Done),
        1 => (paint.bad("1 thing has to be mended"), Exit::No),
        more => (
            paint.bad(&format!("{more} things have to be mended")),
            Exit::No,
        ),
    };
    let _ = writeln!(text, "\n{verdict}");
    Answer::data(text, findings).with_exit(exit)
}

fn tell(text: &mut String, finding: &Finding, paint: Paint) {
    let word = match finding.level {
        _ if finding.mended => "mended",
        level => level.as_str(),
    };
    let word = format!("{word:7}");
    let word = match finding.level {
        Level::Ok => paint.good(&word),
        Level::Note => word,
        _ if finding.mended => paint.good(&word),
        Level::Warning | Level::Error => paint.bad(&word),
    };
    let _ = write!(text, "{word}  ");
    // Sentences of errors name their path.
    let named = finding.path.as_ref();
    if let Some(path) = named.filter(|path| !finding.found.contains(path.as_str())) {
        let _ = write!(text, "{}: ", visible(path));
    }
    let _ = writeln!(text, "{}", visible(&finding.found));
    if finding.mended {
        return;
    }
    if let Some(why) = finding.why {
        let _ = writeln!(text, "{INDENT}{why}");
    }
    if let Some(mend) = &finding.mend {
        let _ = writeln!(text, "{INDENT}{}", paint.heading(&visible(mend)));
    }
}
