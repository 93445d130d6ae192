//! The compiler without what differs from one clone or user to another, so that all of them make the same bytes.
//!
//! Panic messages name source files. rustc has a flag that gives them other names, but cargo makes the names of symbols
//! from all flags that it knows, and from the folder of the standard library's sources; the order of functions follows
//! from these names. So cargo starts this tool in place of rustc, and the tool changes both behind its back.

use std::env;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::stamp;
use crate::tools::toolchain;
use crate::workspace::Workspace;

/// The variable with the flags, which makes the tool a compiler.
const FLAGS: &str = "MILEPOST_REMAPPED";

/// Between the flags.
const SEPARATOR: char = '\u{1f}';

/// The value of `-C` from which rustc makes the names of symbols.
const NAMED: &str = "metadata=";

/// The arguments that tell one crate of a package from another.
const OF_IDENTITY: [&str; 5] = [
    "--crate-name",
    "--crate-type",
    "--cfg",
    "--edition",
    "--target",
];

/// Has a command line of cargo start this tool for each crate.
pub(crate) fn in_place_of_rustc(cargo: &mut Command, workspace: &Workspace) -> Result<()> {
    let own = env::current_exe().context("no path of this program")?;
    let flags: Vec<_> = prefixes(workspace)
        .into_iter()
        .map(|(prefix, name)| format!("--remap-path-prefix={}={name}", prefix.display()))
        .collect();
    cargo
        .env("RUSTC_WRAPPER", own)
        .env(FLAGS, flags.join(&SEPARATOR.to_string()));
    Ok(())
}

/// The folders that differ from one machine to another, and their names.
fn prefixes(workspace: &Workspace) -> Vec<(PathBuf, String)> {
    let mut prefixes = vec![(workspace.root().to_path_buf(), ".".to_owned())];
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    prefixes.extend(home.map(|home| (home, "cargo".to_owned())));
    // As they are named where they are not installed.
    if let (Some(sysroot), Some(commit)) = (toolchain::sysroot(), toolchain::fact("commit-hash")) {
        let sources = sysroot.join("lib/rustlib/src/rust");
        prefixes.push((sources, format!("/rustc/{commit}")));
    }
    prefixes
}

/// Becomes the compiler where cargo has started this in place of it; `None` where a person has.
pub(crate) fn as_rustc() -> Option<Result<ExitCode>> {
    let flags = env::var(FLAGS).ok()?;
    let mut arguments = env::args().skip(1);
    let rustc = arguments.next()?;
    Some(compile(&rustc, &arguments.collect::<Vec<_>>(), &flags))
}

fn compile(rustc: &str, arguments: &[String], flags: &str) -> Result<ExitCode> {
    let package =
        ["CARGO_PKG_NAME", "CARGO_PKG_VERSION"].map(|it| env::var(it).unwrap_or_default());
    let mut command = Command::new(rustc);
    command
        .args(with_own_name(arguments, &package))
        .args(flags.split(SEPARATOR));
    // Its name has a hash of cargo's in it. Of two prefixes rustc takes the last.
    if let Ok(out) = env::var("OUT_DIR") {
        command.arg(format!("--remap-path-prefix={out}=out"));
    }
    let status = command
        .status()
        .with_context(|| format!("cannot start {rustc}"))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}

/// The arguments with a name for symbols that is made of what the crate is: package, kind, features and target. Where two
/// crates of one program were alike in all of these, rustc would say so and stop.
fn with_own_name(arguments: &[String], package: &[String]) -> Vec<String> {
    let mut identity = package.join(" ");
    for pair in arguments.windows(2) {
        if OF_IDENTITY.contains(&pair[0].as_str()) {
            identity += &format!("\n{} {}", pair[0], pair[1]);
        }
    }
    let name = format!("{NAMED}{}", &stamp::sha256(identity.as_bytes())[..16]);
    let named = |it: &String| match it.starts_with(NAMED) {
        true => name.clone(),
        false => it.clone(),
    };
    arguments.iter().map(named).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::process::Command;

    use super::{FLAGS, in_place_of_rustc, with_own_name};
    use crate::workspace::Workspace;

    #[test]
    fn cargo_knows_no_folder_of_this_machine() {
        let workspace = Workspace::find().unwrap();
        let mut cargo = Command::new("cargo");
        in_place_of_rustc(&mut cargo, &workspace).unwrap();
        let variables: Vec<_> = cargo.get_envs().map(|(name, _)| name).collect();
        assert_eq!(variables, [FLAGS, "RUSTC_WRAPPER"]);
        let flags = cargo
            .get_envs()
            .next()
            .unwrap()
            .1
            .unwrap()
            .to_str()
            .unwrap();
        let root = format!("--remap-path-prefix={}=.", workspace.root().display());
        assert!(flags.starts_with(&root), "{flags}");
    }

    #[test]
    fn a_crate_has_the_same_symbols_in_every_folder_and_others_than_any_other_crate() {
        let of = |cfg: &str, hash: &str, folder: &str, version: &str| {
            let line = format!(
                "--crate-name a {folder}/src/lib.rs --crate-type lib --cfg {cfg} -C metadata={hash} -C extra-filename=-{hash}"
            );
            let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let changed = with_own_name(&arguments, &["a".to_owned(), version.to_owned()]);
            assert_eq!(changed.len(), arguments.len());
            let mut named = changed.into_iter().filter(|it| it.starts_with("metadata="));
            named.next().unwrap()
        };
        let here = of("one", "1234", "/here", "1.0.0");
        assert_eq!(here, of("one", "5678", "/there", "1.0.0"));
        assert_ne!(here, of("other", "1234", "/here", "1.0.0"));
        assert_ne!(here, of("one", "1234", "/here", "1.0.1"));
    }
}
