//! Steps on the components that ship.

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use wit_component::{DecodedWasm, WitPrinter};

use super::Outcome;
use crate::building::BuildContext;
use crate::building::component::Component;
use crate::building::inspect::Size;
use crate::test::Range;

/// Writes the golden files again; the difference is for review.
const BLESS: &str = "MILEPOST_BLESS";

/// The WIT of each component, as a component tool prints it, against `tests/golden/wit`. A
/// function that is newly imported, or exported otherwise, shows there.
pub(super) fn wit(context: &BuildContext, _range: Range) -> Result<Outcome> {
    for component in Component::ALL {
        let wasm = fs::read(context.component(component)?)?;
        let printed = print(&wasm)?;
        let golden = golden(context, component);
        if env::var_os(BLESS).is_some() {
            fs::write(&golden, &printed)?;
        }
        let expected = fs::read_to_string(&golden)
            .with_context(|| format!("cannot read {}", golden.display()))?;
        if printed != expected {
            bail!(
                "the WIT of {} is not that of {}; `{BLESS}=1 cargo xtask test` writes it again:\n\n\
                 {printed}",
                component.file(context.workspace).display(),
                golden.display()
            );
        }
    }
    let core = fs::read(context.component(Component::Core)?)?;
    let imports = imports(&core)?;
    if !imports.is_empty() {
        bail!("the core component imports {}", imports.join(", "));
    }
    Ok(Outcome::Passed("core imports nothing".to_owned()))
}

fn golden(context: &BuildContext, component: Component) -> PathBuf {
    let name = format!("tests/golden/wit/{}.wit", component.world());
    context.workspace.join(&name)
}

/// The output of `wasm-tools component wit` for a component.
fn print(wasm: &[u8]) -> Result<String> {
    let decoded = wit_component::decode(wasm)?;
    let (resolve, own) = (decoded.resolve(), decoded.package());
    let others: Vec<_> = resolve
        .packages
        .iter()
        .map(|(id, _)| id)
        .filter(|id| *id != own)
        .collect();
    let mut printer = WitPrinter::default();
    printer.print(resolve, own, &others)?;
    Ok(printer.output.to_string())
}

/// The names of what a component imports.
fn imports(wasm: &[u8]) -> Result<Vec<String>> {
    let DecodedWasm::Component(resolve, world) = wit_component::decode(wasm)? else {
        bail!("this is WIT, not a component");
    };
    let imports = resolve.worlds[world].imports.keys();
    Ok(imports.map(|key| resolve.name_world_key(key)).collect())
}

/// The size that has been reached, so that it does not grow unseen. The aims are 150 KB and 560 KB;
/// docs/internals/builds.md says what takes the space.
fn most_bytes(component: Component) -> u64 {
    match component {
        // 80 KB of it came with rewinds and copies of encrypted threads.
        Component::Core => 1_371_000,
        // 240 KB of it came with task checkpoints and threads, which it examines and recovers, and 8 KB with closed
        // folders, deleted runs and the plans of restores; 60 KB with rewinds.
        Component::Command => 2_355_000,
    }
}

pub(super) fn size(context: &BuildContext, _range: Range) -> Result<Outcome> {
    let mut remark = Vec::new();
    for component in Component::ALL {
        let Size { raw, gzip } = Size::of(&context.component(component)?)?;
        let (world, most) = (component.world(), most_bytes(component));
        if raw > most {
            bail!("the {world} component has {raw} bytes; at most {most}");
        }
        remark.push(format!("{world} {raw} bytes, {gzip} after gzip"));
    }
    Ok(Outcome::Passed(remark.join("; ")))
}
