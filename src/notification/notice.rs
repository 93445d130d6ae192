//! The notice of a milestone: the payload of a Standard Webhook, 1.0.
//!
//! It leaves the machine. So secrets are taken out of every text that people or agents wrote, invisible characters are
//! made visible, and a text that is too long is cut.

use crate::digest::digest;
use crate::error::Target;
use crate::json::Object;
use crate::secret::{redact, secret_in};
use crate::text::visible;
use crate::time;

/// The Standard Webhooks ask for less than 20 KB. Between quotes a text may be twice as long.
const MAX_SUMMARY_BYTES: usize = 5_000;
const MAX_ERROR_BYTES: usize = 1_000;
const MAX_BLOCKER_BYTES: usize = 200;
const MAX_BLOCKERS: usize = 10;
const MAX_NAME_BYTES: usize = 400;
const MAX_COMMIT_BYTES: usize = 64;
/// The most phases of each list that are named.
const MAX_PHASES: usize = 4;
const MAX_PHASE_BYTES: usize = 60;

const CUT: &str = "…";

/// Something that a checkpoint reached.
#[derive(Clone, Copy, Debug)]
pub struct NoticeOccasion<'a> {
    /// Its type, such as `checkpoint.completed`.
    pub event: &'a str,
    /// The time, as the document says.
    pub at: Option<&'a str>,
    /// The project.
    pub project: &'a str,
    /// The checkpoint.
    pub target: &'a Target,
    /// The phase, if it is about one.
    pub phase: Option<&'a str>,
    /// The summary that the next phase begins with.
    pub summary: Option<&'a str>,
    /// The reason that the phase failed.
    pub error: Option<&'a str>,
    /// The reasons that close the gate.
    pub blockers: &'a [String],
    /// The revision.
    pub revision: u64,
    /// The commit, as the document says.
    pub head_commit: Option<&'a str>,
    /// The number of phases that were done: complete or skipped.
    pub done: u64,
    /// The number of all phases.
    pub total: u64,
    /// Of a command that is complete, the phases that were skipped.
    pub skipped: &'a [String],
    /// Those that failed.
    pub failed: &'a [String],
    /// Those that were pending or in progress.
    pub unfinished: &'a [String],
}

/// Makes the notice of an occasion. `now` stands for a time that the document does not have, as documents write it.
///
/// The id is that of the occasion: every process that computes it again, on any day, gets the same.
pub fn notice(occasion: &NoticeOccasion<'_>, now: &str) -> Object {
    let time = occasion.at.and_then(time::parse);
    let timestamp = time.map_or_else(|| now.to_owned(), |it| time::format(it.wall_ms()));
    let text = |text: &str, limit| safe(text, limit);
    let blockers = occasion.blockers.iter().take(MAX_BLOCKERS);
    let blockers: Vec<String> = blockers.map(|it| text(it, MAX_BLOCKER_BYTES)).collect();
    // A name that holds a secret is left out, since without that it would be another one.
    let feature = occasion.target.feature.as_deref();
    let feature = feature.filter(|feature| secret_in(feature).is_none());
    let data = Object::new()
        .with("project", text(occasion.project, MAX_NAME_BYTES))
        .with("command", text(&occasion.target.command, MAX_NAME_BYTES))
        .with("feature", feature.map(|it| text(it, MAX_NAME_BYTES)))
        .with("phase", occasion.phase.map(|it| text(it, MAX_NAME_BYTES)))
        .with(
            "summary",
            occasion.summary.map(|it| text(it, MAX_SUMMARY_BYTES)),
        )
        .with("error", occasion.error.map(|it| text(it, MAX_ERROR_BYTES)))
        .with("blockers", blockers)
        .with("phases_over", occasion.done)
        .with("phases", occasion.total)
        .with("skipped", named(occasion.skipped))
        .with("failed", named(occasion.failed))
        .with("unfinished", named(occasion.unfinished))
        .with("revision", occasion.revision)
        .with(
            "head_commit",
            occasion.head_commit.map(|it| text(it, MAX_COMMIT_BYTES)),
        );
    Object::new()
        .with("id", id(occasion))
        .with("type", occasion.event)
        .with("timestamp", timestamp)
        .with("data", data)
}

/// The first names of a list of phases, and a sign where it has more.
fn named(phases: &[String]) -> Vec<String> {
    let first = phases.iter().take(MAX_PHASES);
    let mut named: Vec<String> = first.map(|it| safe(it, MAX_PHASE_BYTES)).collect();
    if phases.len() > MAX_PHASES {
        named.push(CUT.to_owned());
    }
    named
}

fn id(occasion: &NoticeOccasion<'_>) -> String {
    let revision = occasion.revision.to_string();
    let parts = [
        occasion.event,
        &occasion.target.command,
        occasion.target.feature.as_deref().unwrap_or_default(),
        &revision,
        occasion.at.unwrap_or_default(),
        // Last, because a name that a hand wrote may have anything in it.
        occasion.phase.unwrap_or_default(),
    ];
    format!("msg_{}", digest(&[parts.join("\0").as_bytes()]))
}

/// A text as others may see it: lines and tabs stay.
fn safe(text: &str, limit: usize) -> String {
    let redacted = redact(text).text;
    let line = |line: &str| line.split('\t').map(visible).collect::<Vec<_>>().join("\t");
    let lines: Vec<String> = redacted.lines().map(line).collect();
    cut(lines.join("\n"), limit)
}

fn cut(mut text: String, limit: usize) -> String {
    if text.len() > limit {
        let mut end = limit - CUT.len();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str(CUT);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;

    const NOW: &str = "2026-02-01T00:00:00.000Z";

    fn target() -> Target {
        Target {
            command: "implement".to_owned(),
            feature: Some("dark-mode".to_owned()),
        }
    }

    fn occasion(target: &Target) -> NoticeOccasion<'_> {
        NoticeOccasion {
            event: "checkpoint.phase_completed",
            at: Some("2026-01-29T11:30:00+01:00"),
            project: "shop",
            target,
            phase: Some("printer"),
            summary: Some("Prints."),
            error: None,
            blockers: &[],
            revision: 7,
            head_commit: Some("abc1234"),
            done: 3,
            total: 5,
            skipped: &[],
            failed: &[],
            unfinished: &[],
        }
    }

    #[test]
    fn a_notice_is_the_payload_of_a_standard_webhook() {
        assert_eq!(
            Json::from(notice(&occasion(&target()), NOW)).to_line(),
            concat!(
                r#"{"id":"msg_70c09091968c94d5ce14555a2af40854","type":"checkpoint.phase_completed","#,
                r#""timestamp":"2026-01-29T10:30:00.000Z","data":{"project":"shop","#,
                r#""command":"implement","feature":"dark-mode","phase":"printer","#,
                r#""summary":"Prints.","error":null,"blockers":[],"phases_over":3,"phases":5,"#,
                r#""skipped":[],"failed":[],"unfinished":[],"#,
                r#""revision":7,"head_commit":"abc1234"}}"#
            )
        );
    }

    #[test]
    fn an_id_is_that_of_the_occasion_and_of_no_other() {
        let (target, other) = (target(), target().of_feature("dark"));
        let of = |occasion: &NoticeOccasion<'_>, now| {
            let notice = notice(occasion, now);
            notice.get("id").unwrap().as_str().unwrap().to_owned()
        };
        let first = of(&occasion(&target), NOW);
        assert_eq!(first, of(&occasion(&target), "2027-02-01T00:00:00.000Z"));
        let said = NoticeOccasion {
            summary: Some("Other words"),
            ..occasion(&target)
        };
        assert_eq!(
            first,
            of(&said, NOW),
            "it is what is reached, not what is said"
        );
        for different in [
            NoticeOccasion {
                event: "checkpoint.completed",
                ..occasion(&target)
            },
            occasion(&other),
            NoticeOccasion {
                phase: Some("parser"),
                ..occasion(&target)
            },
            NoticeOccasion {
                phase: None,
                ..occasion(&target)
            },
            NoticeOccasion {
                revision: 8,
                ..occasion(&target)
            },
            NoticeOccasion {
                at: Some(NOW),
                ..occasion(&target)
            },
        ] {
            let id = of(&different, NOW);
            assert_ne!(first, id, "{different:?}");
            assert!(
                !id.contains('.'),
                "the signed text has one between its parts"
            );
        }
    }

    #[test]
    fn a_notice_names_the_first_phases_of_a_long_list_and_says_that_there_are_more() {
        let target = target();
        let names: Vec<String> = (0..6).map(|at| format!("p{at}")).collect();
        let notice = notice(
            &NoticeOccasion {
                skipped: &names,
                unfinished: &names[..4],
                ..occasion(&target)
            },
            NOW,
        );
        let data = Json::from(notice).at("/data").unwrap().clone();
        let list = |name: &str| data.at(name).unwrap().to_line();
        assert_eq!(list("/skipped"), r#"["p0","p1","p2","p3","…"]"#);
        assert_eq!(list("/unfinished"), r#"["p0","p1","p2","p3"]"#);
        assert_eq!(list("/failed"), "[]");
    }

    #[test]
    fn a_missing_or_invalid_time_becomes_the_present_one() {
        let target = target();
        for at in [None, Some("yesterday")] {
            let notice = notice(
                &NoticeOccasion {
                    at,
                    ..occasion(&target)
                },
                NOW,
            );
            assert_eq!(notice.get("timestamp").unwrap().as_str(), Some(NOW));
        }
    }

    #[test]
    fn no_secret_and_no_hidden_character_leaves_the_machine() {
        const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
        let target = target();
        let text = format!("a {SECRET}\r\nb\u{202e}c\u{1b}[2J\td");
        let blockers = vec![text.clone()];
        let notice = notice(
            &NoticeOccasion {
                project: &text,
                phase: Some(&text),
                summary: Some(&text),
                error: Some(&text),
                blockers: &blockers,
                head_commit: Some(&text),
                ..occasion(&target)
            },
            NOW,
        );
        let line = Json::from(notice.clone()).to_line();
        assert!(
            !line.contains("ghp_") && !line.contains('\u{202e}'),
            "{line}"
        );
        assert!(!line.contains("\\u001b"), "{line}");
        let data = notice.get("data").unwrap().as_object().unwrap();
        let summary = data.get("summary").unwrap().as_str().unwrap();
        assert!(summary.starts_with("a [REDACTED:"), "{summary}");
        assert!(summary.ends_with("\nb\\u{202e}c\\u{1b}[2J\td"), "{summary}");
    }

    #[test]
    fn the_length_of_a_notice_is_bounded() {
        let target = target();
        for part in ["\"", "\\", "\u{202e}", "\u{e0001}", "ä", "🏁", "\n", "a"] {
            let text = part.repeat(70_000);
            let blockers = vec![text.clone(); 100];
            let notice = notice(
                &NoticeOccasion {
                    project: &text,
                    skipped: &blockers,
                    failed: &blockers,
                    unfinished: &blockers,
                    phase: Some(&text),
                    summary: Some(&text),
                    error: Some(&text),
                    blockers: &blockers,
                    head_commit: Some(&text),
                    ..occasion(&target)
                },
                NOW,
            );
            let length = Json::from(notice).to_line().len();
            assert!(length < 20_000, "{length} bytes of {part:?}");
        }
    }
}
