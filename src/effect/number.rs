//! The numbers by which hosts in JavaScript know the effects.

/// The name of each effect at its number.
pub const EFFECT_NAMES: [&str; 30] = [
    "clock",
    "random",
    "wait",
    "ascend",
    "inspect",
    "read",
    "read_start",
    "make_folder",
    "create",
    "rename",
    "link",
    "remove",
    "remove_folder",
    "restrict",
    "list",
    "sync_folder",
    "read_record",
    "swap_record",
    "list_records",
    "git",
    "print",
    "input",
    "survey",
    "part",
    "read_link",
    "append",
    "symlink",
    "set_mode",
    "scan",
    "count_tokens",
];

/// The number of an effect, for constants: any other name does not compile there.
pub const fn number(name: &str) -> u32 {
    let mut number = 0;
    while !is_same(EFFECT_NAMES[number as usize], name) {
        number += 1;
    }
    number
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The table as a module of JavaScript, which the package imports.
#[cfg(not(target_family = "wasm"))]
pub fn effects_module() -> String {
    let names = EFFECT_NAMES.map(|name| {
        let name = crate::schema::MemberNaming::Camel.name(name);
        format!("  '{name}',\n")
    });
    format!(
        "// Printed from the table of effects; a test holds the file to it.\n\n\
         /** Effects by their numbers. */\n\
         export const EFFECTS = /** @type {{const}} */ ([\n{}]);\n",
        names.concat()
    )
}

#[cfg(test)]
mod tests {
    use super::{EFFECT_NAMES, number};

    #[test]
    fn each_name_has_its_place_as_its_number() {
        for (at, name) in (0..).zip(EFFECT_NAMES) {
            assert_eq!(number(name), at, "{name}");
        }
    }
}
