//! Three files of the package, printed from the rows of effects: the numbers, the objects that effects are to hosts
//! that take objects, and the types of these.

use std::fmt::Write;

use crate::schema::MemberNaming;

use super::effect_table::{EffectMember, EffectRow, ROWS};

const HEADER: &str = "// Printed from the table of effects; a test holds the file to it.\n\n";

/// The numbers, `pkg/src/wasm/effects.js`.
pub fn numbers() -> String {
    let mut text = HEADER.to_owned();
    text.push_str(
        "/** Effects by their numbers. */\nexport const EFFECTS = /** @type {const} */ ([\n",
    );
    for row in ROWS {
        let _ = writeln!(text, "  '{}',", name(row));
    }
    text.push_str("]);\n");
    text
}

/// Effects as objects, and the forms of their answers, `pkg/src/wasm/effect-objects.js`.
pub fn objects() -> String {
    let mut text = HEADER.to_owned();
    text.push_str(
        "import * as ffi from './ffi.js';\n\n\
         /** The form of the answer to each effect. */\n\
         export const ANSWERS = /** @type {Record<string, import('../../types/operation.js').Outcome['outcome']>} */ ({\n",
    );
    for row in ROWS {
        let _ = writeln!(text, "  {}: '{}',", name(row), row.answer.to_lowercase());
    }
    text.push_str(
        "});\n\n\
         /**\n \
          * Returns the effect that the wasm asks for, as an object.\n \
          *\n \
          * @type {(...call: Parameters<ffi.Perform>) => import('../../types/operation.js').Effect}\n \
          */\n\
         export function effectOf(effect, textAt, textLength, more, moreLength, number, flag) {\n  \
           const name = ffi.EFFECTS[effect];\n  \
           const text = ffi.text(textAt, textLength);\n  \
           switch (name) {\n",
    );
    for row in ROWS {
        let members = row.members.iter().map(|member| match member.part {
            "swap_record" => ", ...ffi.swap(text, more)".to_owned(),
            part => match (camel(member.name), value(part, member.words)) {
                (name, value) if name == value => format!(", {name}"),
                (name, value) => format!(", {name}: {value}"),
            },
        });
        let members: String = members.collect();
        let _ = writeln!(
            text,
            "    case '{}':\n      return {{ effect: name{members} }};",
            name(row)
        );
    }
    text.push_str("  }\n}\n");
    text
}

/// The expression of a member's value in the function that gets a call.
fn value(part: &str, words: &[&str]) -> String {
    let text = match part {
        "text" => "text",
        "texts" => "ffi.texts(textAt, textLength)",
        "second" => "ffi.text(more, moreLength)",
        "second_texts" => "ffi.texts(more, moreLength)",
        "encoding" => "/** @type {any} */ (ffi.text(more, moreLength))",
        "bytes" => "ffi.copied(more, moreLength)",
        "float" => "ffi.float(more)",
        "number" => "number",
        "permissions" => "number <= 0o777 ? number : null",
        part => {
            return match (part, words) {
                ("switch", [first, second]) => format!("number ? '{second}' : '{first}'"),
                ("flag", [first, second]) => format!("flag ? '{second}' : '{first}'"),
                _ => "flag !== 0".to_owned(),
            };
        }
    };
    text.to_owned()
}

/// The types of effects as objects, `pkg/types/effect.d.ts`.
pub fn types() -> String {
    let mut text = HEADER.to_owned();
    text.push_str("/** One thing that the core asks a host to do. */\nexport type Effect =");
    for row in ROWS {
        text.push_str(&comment(row.doc));
        let members: String = row.members.iter().map(member_type).collect();
        let _ = write!(text, "\n  | {{ effect: '{}'{members} }}", name(row));
    }
    text.push_str(";\n\n");
    text.push_str(SIDE_WRITE);
    text
}

/// The members of a swap, whose line [`super::effect_table`] writes by itself.
const SWAP: &str = "; record: string; expected: Uint8Array | null; bytes: Uint8Array | null; \
                    keep: string | null; beside: SideWrite[]";

const SIDE_WRITE: &str = "\
/** The change of another record than the one that is swapped, in the same step. */
export interface SideWrite {
  /** The record. */
  record: string;
  /** If true, fails with `changed` when the record exists. */
  mustBeNew: boolean;
  /** The new bytes; null removes the record, and a missing one is fine. */
  bytes: Uint8Array | null;
}
";

fn member_type(member: &EffectMember) -> String {
    let words: Vec<String> = member.words.iter().map(|it| format!("'{it}'")).collect();
    let kind = match member.part {
        "swap_record" => return SWAP.to_owned(),
        _ if !words.is_empty() => words.join(" | "),
        "text" | "second" => "string".to_owned(),
        "texts" | "second_texts" => "string[]".to_owned(),
        "bytes" => "Uint8Array".to_owned(),
        "permissions" => "number | null".to_owned(),
        "flag" => "boolean".to_owned(),
        _ => "number".to_owned(),
    };
    format!("; {}: {kind}", camel(member.name))
}

fn comment(lines: &[&str]) -> String {
    match lines {
        [line] => format!("\n  /** {} */", line.trim()),
        lines => {
            let lines = lines.iter().map(|line| format!("\n   * {}", line.trim()));
            format!("\n  /**{}\n   */", lines.collect::<String>())
        }
    }
}

/// `ReadStart` as `readStart`.
fn name(row: &EffectRow) -> String {
    let (first, rest) = row.name.split_at(1);
    format!("{}{rest}", first.to_lowercase())
}

fn camel(member: &str) -> String {
    MemberNaming::Camel.name(member)
}
