//! The answers to the page's questions as TypeScript.

use std::fmt::Write;

use crate::schema::{Kind, MemberNaming, Shape, interfaces, type_text};

use super::dispatcher::QUERIES;

const HEADER: &str = "// Printed from the answers in `src/view`; a test holds the file to it.\n\n";

/// Every answer, and the types that it has in it.
pub fn answers() -> String {
    let mut shapes: Vec<&'static Shape> = Vec::new();
    let mut rows = String::new();
    for query in QUERIES {
        let Some(kind) = &query.kind else { continue };
        shapes.extend(Kind::shapes(kind));
        let _ = writeln!(rows, "  {}: {};", query.name, type_text(kind));
    }
    let interfaces = interfaces(&shapes, MemberNaming::AsIs);
    format!(
        "{HEADER}{interfaces}\n/** Every question by its name, with its answer. */\nexport interface Answers {{\n{rows}}}\n"
    )
}
