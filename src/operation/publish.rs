//! The table of operations as TypeScript: requests and replies as they are on the wire, and the
//! methods and answers of the package's store.

use std::fmt::Write;

use crate::checkpoint::task::definition::STATE;
use crate::schema::{
    ArgumentMembers, Field, Kind, MemberNaming, Members, Presence, Shape, interfaces, type_text,
};

use super::request::PlaceMembers;
use super::row::{Capability, Operation};
use super::{table, task};

const HEADER: &str = "// Printed from the table of operations; a test holds the file to it.\n\n";

/// Requests and replies, in snake_case as documents are.
pub fn wire() -> String {
    let mut text = HEADER.to_owned();
    let mut shapes: Vec<&'static Shape> = vec![&PlaceMembers::SHAPE];
    let mut rows = String::new();
    for operation in table::all() {
        shapes.push(operation.arguments);
        let answer = operation.answer.as_ref();
        shapes.extend(answer.and_then(Kind::shape));
        let answer = answer.map(type_text);
        let _ = write!(
            rows,
            "  /** {} */\n  {}: {{ arguments: {}; place: {}; answer: {} }};\n",
            operation.doc,
            operation.name,
            operation.arguments.name,
            if operation.has_place() {
                "Place"
            } else {
                "undefined"
            },
            answer.unwrap_or_default(),
        );
    }
    text.push_str(&interfaces(&shapes, MemberNaming::AsIs));
    let _ = write!(
        text,
        "\n/** Every operation: what a request has beside its name, and what the value of its reply is. */\n\
         export interface Operations {{\n{rows}}}\n"
    );
    text
}

/// The methods of a store that have the members of an operation as they are, and what they return.
/// Members are in camelCase; documents in them stay as they are stored.
pub fn store() -> String {
    methods("StoreOperations", |operation| {
        matches!(
            operation.capability,
            Capability::Library | Capability::Disks
        )
    })
}

/// The types of the operations on snapshots.
pub fn sessions() -> String {
    methods("SessionOperations", |operation| {
        matches!(
            operation.capability,
            Capability::Sessions | Capability::Rewinds
        )
    })
}

/// The types of the manager of task checkpoints, in and out: members in camelCase, as those of a checkpoint are by
/// themselves.
pub fn tasks() -> String {
    let shapes = [
        &STATE,
        &<task::save::SavedTaskCheckpoint as Members>::SHAPE,
        &<task::list_tasks::TaskOverview as Members>::SHAPE,
        &<task::clean_up::CleanedUpTasks as Members>::SHAPE,
    ];
    let interfaces = interfaces(&shapes, MemberNaming::Camel);
    // In TypeScript what is unknown may be absent as well, and the specified interface has no mark for it.
    format!(
        "{HEADER}{}",
        interfaces.replace("?: unknown;", ": unknown;")
    )
}

fn methods(name: &str, is_meant: fn(&Operation) -> bool) -> String {
    let mut text = HEADER.to_owned();
    let mut shapes: Vec<&'static Shape> = Vec::new();
    let mut methods = String::new();
    for operation in table::all().filter(|operation| is_meant(operation)) {
        let Some(answer) = &operation.answer else {
            continue;
        };
        shapes.extend(answer.shape());
        if carries_documents(operation) {
            continue;
        }
        let _ = write!(
            methods,
            "  /** {} */\n  {}({}): {};\n",
            operation.doc,
            MemberNaming::Camel.name(method(operation.name)),
            parameters(operation.arguments.fields),
            type_text(answer),
        );
    }
    text.push_str(&interfaces(&shapes, MemberNaming::Camel));
    let _ = write!(
        text,
        "\n/** The methods whose arguments and answers hold no documents. Each throws a `MilepostError`. */\n\
         export interface {name} {{\n{methods}}}\n"
    );
    text
}

/// The name of a method: it does not repeat the object that all of its methods are about.
fn method(operation: &str) -> &str {
    let stem = operation.strip_suffix("_sessions");
    stem.or_else(|| operation.strip_suffix("_session"))
        .unwrap_or(operation)
}

/// Returns whether documents go in or come out: then the package declares its methods by hand, on objects and on text.
fn carries_documents(operation: &Operation) -> bool {
    let is_document = |field: &Field| {
        let kind = match &field.kind {
            Kind::Nullable(inner) => inner,
            kind => kind,
        };
        matches!(kind, Kind::Record | Kind::Any) || field.name == "text"
    };
    let answer = operation.answer.as_ref();
    let shape = answer.and_then(Kind::shape);
    let answered = shape.map_or(&[][..], |shape| shape.fields);
    !operation.has_place()
        || matches!(answer, Some(Kind::Record))
        || operation.arguments.fields.iter().any(is_document)
        || answered.iter().any(|field| field.name == "text")
}

/// The checkpoint, where there is one, and all else as options.
fn parameters(fields: &[Field]) -> String {
    let mut parameters = Vec::new();
    let mut options = Vec::new();
    let mut is_needed = false;
    for field in fields {
        let kind = type_text(&field.kind);
        match field.name {
            "command" => parameters.push(format!("command: {kind}")),
            "feature" => parameters.push(format!("feature?: {kind}")),
            name => {
                let mark = match field.presence {
                    Presence::Required => "",
                    Presence::Optional | Presence::Additive => "?",
                };
                is_needed |= mark.is_empty();
                options.push(format!("{}{mark}: {kind}", MemberNaming::Camel.name(name)));
            }
        }
    }
    if !options.is_empty() {
        let mark = if is_needed { "" } else { "?" };
        if is_needed {
            // A parameter that follows an optional one cannot be required.
            for parameter in &mut parameters {
                *parameter = parameter.replace("?:", ":");
            }
        }
        parameters.push(format!("options{mark}: {{ {} }}", options.join("; ")));
    }
    parameters.join(", ")
}
