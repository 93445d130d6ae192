//! Snapshots of tasks, and names that nobody should name a file by.

use super::entry::Part;
use crate::json::{Json, Object};

/// Names that are fine as names, and would do harm as parts of a path.
pub(super) const HOSTILE: [&str; 36] = [
    ".",
    "..",
    "../..",
    "../../etc/passwd",
    "/etc/passwd",
    "a/b",
    "a\\b",
    "\\\\server\\share",
    "C:",
    "c:\\windows",
    "x:y",
    "a\nb",
    "a\r",
    "\t",
    " ",
    "-rf",
    ".hidden",
    "trailing.",
    "trailing ",
    "CON",
    "con",
    "nul.txt",
    "COM1",
    "lpt9.x.y",
    "checkpoint",
    "Foo",
    "foo",
    "FOO",
    "__proto__",
    "constructor",
    "10",
    "*?<>|\"",
    "%2e%2e%2f",
    "\u{202e}gpj.exe",
    "\u{1b}]52;c;ZXZpbA==\u{7}",
    "世界",
];

/// A snapshot that satisfies the schema.
pub(super) fn state(task: &str, id: &str) -> Object {
    let step = Object::new()
        .with("stepId", "step-1")
        .with("name", "Read the plan")
        .with("result", Object::new().with("lines", 42))
        .with("durationMs", Json::Number("12.5".into()))
        .with("completedAt", "2026-01-29T10:29:59.000Z");
    Object::new()
        .with("id", id)
        .with("taskId", task)
        .with("agentId", "agent-1")
        .with("stepIndex", 1)
        .with("totalSteps", 3)
        .with("context", Object::new().with("file", "plan.md"))
        .with("completedSteps", vec![step])
        .with("pendingSteps", vec!["step-2", "step-3"])
        .with("createdAt", "2026-01-29T10:30:00.000Z")
}

/// A token, one for each number.
pub(super) fn token(number: usize) -> String {
    format!("{number:032x}")
}

/// A part, one for each number.
pub(super) fn part(number: usize) -> Part {
    Part {
        token: token(number),
        bytes: 100 + number as u64,
        saved_at: "2026-01-29T10:30:00.000Z".to_owned(),
    }
}
