//! The arguments and answers of the operations as JSON Schema, for those who make tools of them.

use crate::checkpoint::command::definition::PHASE;
use crate::json::{Json, Object};
use crate::schema::{Nulls, plain_schema, plain_schema_of};

use super::table;

const HEADER: &str = "// Printed from the table of operations; a test holds the file to it.\n";

/// The type of each export for a type checker: schemas, whose members no caller has to know.
const TYPE: &str = "@type {Record<string, any>}";

/// The operations whose arguments or answers are those of a tool.
const OF_TOOLS: [&str; 18] = [
    "load",
    "begin",
    "update_phase",
    "remove_phase",
    "complete",
    "latest",
    "list",
    "gate",
    "log",
    "diff",
    "undo",
    "create_session",
    "list_sessions",
    "verify_session",
    "restore_session",
    "list_prompts",
    "rewind",
    "resume_here",
];

/// A module of JavaScript with the schemas of the operations that tools have, and those of the fields of a phase.
pub fn module() -> String {
    let mut text = HEADER.to_owned();
    let mut export = |name: &str, doc: &str, value: Object| {
        let value = Json::Object(value).to_document();
        text.push_str(&format!(
            "\n/** {doc} {TYPE} */\nexport const {name} = {};\n",
            value.trim_end()
        ));
    };
    for operation in table::all() {
        let is_meant = OF_TOOLS.contains(&operation.name);
        let Some(answer) = operation.answer.as_ref().filter(|_| is_meant) else {
            continue;
        };
        let schemas = Object::new()
            .with(
                "arguments",
                plain_schema_of(operation.arguments, Nulls::LeftOut),
            )
            .with("answer", plain_schema(answer, Nulls::Written));
        export(operation.name, operation.doc, schemas);
    }
    let fields = plain_schema_of(&PHASE, Nulls::LeftOut);
    export("phase", "The members of a phase.", fields);
    text
}
