//! The outside of a finished wasm file: its imports and its size.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use wasmparser::{Parser, Payload};

/// The module that wasm-bindgen's glue stands for.
const GLUE_MODULE: &str = "./milepost_bg.js";

/// The imports that the wasm may have: the one function through which every effect passes, and what the glue sets
/// itself up with. Nothing that knows the time, chance or the world outside (`now`, `random`,
/// `require`, `log`, …) belongs here.
const GLUE: &[&str] = &[PERFORM, "__wbindgen_init_externref_table"];

/// The one function through which every effect passes.
pub(crate) const PERFORM: &str = "__wbg_milepost_perform";

/// A name like `__wbg_new` does not say of what: none of these may stand in the glue.
const OUTSIDE: &[&str] = &[
    "Date",
    "Math.random",
    "crypto",
    "performance",
    "process.",
    "globalThis",
    "console",
    "require(",
    "eval(",
    "fetch",
    "window",
    "new Function",
];

/// The place where the glue defines what it hands to the wasm.
const IMPORTS: &str = "function __wbg_get_imports() {";

/// The imports of a wasm file, sorted, without the hashes that change with every version of the
/// glue.
pub(crate) fn imports(wasm: &[u8]) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::ImportSection(section) = payload? {
            for import in section.into_imports() {
                let import = import?;
                let name = without_hash(import.name);
                found.insert(match import.module {
                    GLUE_MODULE => name.to_owned(),
                    module => format!("{module} {name}"),
                });
            }
        }
    }
    Ok(found)
}

/// Those imports that are not wasm-bindgen's own glue.
pub(crate) fn foreign(imports: &BTreeSet<String>) -> Vec<&str> {
    imports
        .iter()
        .map(String::as_str)
        .filter(|name| !GLUE.contains(name))
        .collect()
}

/// The calls that lead out of the core in the functions that the glue hands to the wasm. (The rest of the
/// glue loads the wasm, and may well warn on the console.)
pub(crate) fn ways_out(glue: &str) -> Result<Vec<&'static str>> {
    let (_, rest) = glue
        .split_once(IMPORTS)
        .context("the glue has no imports")?;
    let (imports, _) = rest
        .split_once("\n}\n")
        .context("the glue's imports have no end")?;
    let outside = OUTSIDE.iter().copied();
    Ok(outside.filter(|call| imports.contains(call)).collect())
}

/// `__wbg_new_227d7c05414eb861` is `__wbg_new`.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((rest, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
            rest
        }
        _ => name,
    }
}

/// A file's size in bytes, as it is and after gzip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) raw: u64,
    pub(crate) gzip: u64,
}

impl Size {
    pub(crate) fn of(file: &Path) -> Result<Self> {
        let content = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&content)?;
        Ok(Self {
            raw: content.len() as u64,
            gzip: gzip.finish()?.len() as u64,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{IMPORTS, foreign, ways_out, without_hash};

    #[test]
    fn a_constructor_of_a_date_is_no_glue_under_any_import_name() {
        let import = "__wbg_new_227d7c05414eb861: function() { return new Date(); },";
        let glue =
            format!("{IMPORTS}\n    return {{ {import} }};\n}}\nconsole.warn('deprecated');");
        assert_eq!(ways_out(&glue).unwrap(), ["Date"]);
    }

    #[test]
    fn only_a_hash_is_taken_off_an_import() {
        assert_eq!(without_hash("__wbg_new_227d7c05414eb861"), "__wbg_new");
        assert_eq!(
            without_hash("__wbindgen_init_externref_table"),
            "__wbindgen_init_externref_table"
        );
    }

    #[test]
    fn a_clock_and_a_foreign_module_are_not_glue() {
        let imports = ["__wbindgen_init_externref_table", "__wbg_now", "env now"];
        let imports = imports.into_iter().map(String::from).collect();
        assert_eq!(foreign(&imports), ["__wbg_now", "env now"]);
    }
}
