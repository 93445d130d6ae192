//! The settings of snapshots: `sessions`.

use crate::json::{Json, Object, Pointer};
use crate::schema::{Kind, Problem, ProblemCode, Shape, optional, published};

/// The most bytes of a diff with which every snapshot can be read again.
const MAX_DIFF_BYTES: u64 = 256 << 10;

pub(super) static SESSIONS: Shape = Shape {
    name: "SessionSettings",
    doc: published("Snapshots."),
    fields: &[
        optional(
            "keep",
            Kind::Integer,
            "So many of the newest snapshots are kept; without it, 10.",
        ),
        optional(
            "max_file_bytes",
            Kind::Integer,
            "A larger file is left out of a snapshot; without it, 268435456 (256 MiB).",
        ),
        optional(
            "max_snapshot_bytes",
            Kind::Integer,
            "So many bytes of files a snapshot keeps at most; without it, 4294967296 (4 GiB).",
        ),
        optional(
            "max_diff_bytes",
            Kind::Integer,
            "A longer git_diff is cut, up to 262144 (256 KiB); without it, 65536 (64 KiB), and no diff with 0.",
        ),
        optional(
            "allow",
            Kind::List(&Kind::String),
            "Paths of files that are kept though they look like files of secrets, or are large.",
        ),
    ],
};

/// The settings of snapshots, each where the file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sessions {
    /// The number of the newest that are kept.
    pub keep: Option<u64>,
    /// The size of the largest file in a snapshot.
    pub max_file_bytes: Option<u64>,
    /// The bytes of all files together that a snapshot keeps.
    pub max_snapshot_bytes: Option<u64>,
    /// The length of the longest `git_diff`.
    pub max_diff_bytes: Option<u64>,
    /// Paths of files that are kept even where they look like secrets.
    pub allow: Vec<String>,
}

impl Sessions {
    /// From settings that were checked.
    pub fn of(settings: &Object) -> Self {
        let sessions = settings.get("sessions").and_then(Json::as_object);
        let number = |key: &str| sessions?.get(key)?.as_u64();
        let allow = sessions.and_then(|it| it.get("allow")?.as_array());
        let allow = allow.unwrap_or_default().iter().filter_map(Json::as_str);
        Sessions {
            keep: number("keep"),
            max_file_bytes: number("max_file_bytes"),
            max_snapshot_bytes: number("max_snapshot_bytes"),
            max_diff_bytes: number("max_diff_bytes"),
            allow: allow.map(str::to_owned).collect(),
        }
    }
}

/// Finds a limit with which a snapshot might be too large to read.
pub(super) fn problem(file: &Json) -> Option<Problem> {
    let sessions = file.as_object()?.get("sessions")?.as_object()?;
    let bytes = sessions.get("max_diff_bytes")?.as_u64()?;
    (bytes > MAX_DIFF_BYTES).then(|| Problem {
        at: Pointer::root().key("sessions").key("max_diff_bytes"),
        code: ProblemCode::Range,
        message: sentence!("expected at most {MAX_DIFF_BYTES} bytes, found {bytes}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, ErrorKind};
    use crate::integrations::default_document;
    use crate::integrations::tests::parse_text;

    #[test]
    fn settings_of_sessions_are_read_and_checked() {
        let settings = parse_text(
            r#"{"sessions": {"keep": 3, "max_file_bytes": 0, "max_snapshot_bytes": 9007199254740991,
                "max_diff_bytes": 262144, "allow": [".env", "b"]}}"#,
        );
        let expected = Sessions {
            keep: Some(3),
            max_file_bytes: Some(0),
            max_snapshot_bytes: Some(9_007_199_254_740_991),
            max_diff_bytes: Some(262_144),
            allow: vec![".env".to_owned(), "b".to_owned()],
        };
        assert_eq!(Sessions::of(&settings.unwrap()), expected);
        assert_eq!(Sessions::of(&default_document()), Sessions::default());
        for (member, at) in [
            (r#""max_diff_bytes": 262145"#, "/sessions/max_diff_bytes"),
            (r#""max_file_bytes": -1"#, "/sessions/max_file_bytes"),
            (
                r#""max_snapshot_bytes": "4 GB""#,
                "/sessions/max_snapshot_bytes",
            ),
            (r#""allow": ".env""#, "/sessions/allow"),
            (r#""allow": [1]"#, "/sessions/allow/0"),
        ] {
            let text = format!(r#"{{"sessions": {{{member}}}}}"#);
            let Err(ErrorKind::InvalidDocument(problems)) =
                parse_text(&text).map_err(Error::into_kind)
            else {
                panic!("{member} is refused");
            };
            assert_eq!(problems[0].at.as_str(), at);
        }
    }
}
