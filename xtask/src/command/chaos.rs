//! `cargo xtask chaos`: what the chaos run needs, and its start.

use std::process::Command;

use anyhow::{Context, Result};

use crate::building::component::Component;
use crate::building::program::CHAOS;
use crate::building::{self, package};
use crate::folder;
use crate::tools::{self, Found, Npm};
use crate::workspace::Workspace;

/// Sets up the hosts that are asked for, and runs it on this process's streams; `false` when it ended
/// otherwise than with 0.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<bool> {
    if arguments
        .iter()
        .any(|it| ["-h", "--help", "--plan"].contains(&it.as_str()))
    {
        return CHAOS.run(workspace, arguments);
    }
    building::build(workspace)?;
    let (mut chaos, missing) = prepare(workspace, hosts_asked_for(arguments))?;
    let status = chaos.args(arguments).status();
    for why in missing {
        println!("skipped: {why}");
    }
    Ok(status.context("cannot start cargo")?.success())
}

/// What starts it, once everything is built; the texts say why a host is not there.
pub(crate) fn prepare(
    workspace: &Workspace,
    asked: Option<&str>,
) -> Result<(Command, Vec<String>)> {
    // Beside the installed package, so that an import finds it.
    let scripts = package::installed(workspace)?.join("tests/faults/chaos/scripts");
    folder::copy(&workspace.join("tests/faults/chaos/scripts"), &scripts)?;
    let mut command = CHAOS.command(workspace);
    command.arg("--scripts").arg(scripts);

    let is_asked = |host| asked.is_none_or(|list| list.split(',').any(|it| it == host));
    let mut missing = Vec::new();
    if is_asked("deno") {
        match Npm::set_up(workspace)?.deno() {
            Found::At(program) => {
                command.arg("--deno").arg(program);
            }
            Found::Missing(why) => missing.push(format!("Deno: {why}")),
        }
    }
    if is_asked("wasmtime") {
        match tools::wasmtime()? {
            Found::At(program) => {
                command.arg("--wasmtime").arg(program);
                command.arg("--component");
                command.arg(Component::Command.file(workspace));
            }
            Found::Missing(why) => missing.push(format!("wasmtime: {why}")),
        }
    }
    Ok((command, missing))
}

/// What follows `--hosts`: nobody waits for a host that takes no part.
fn hosts_asked_for(arguments: &[String]) -> Option<&str> {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.strip_prefix("--hosts") {
            Some("") => return rest.next().map(String::as_str),
            Some(list) if list.starts_with('=') => return list.get(1..),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::hosts_asked_for;

    #[test]
    fn a_host_that_takes_no_part_is_set_up() {
        let asked = |words: &str| {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            hosts_asked_for(&words).map(str::to_owned)
        };
        assert_eq!(
            asked("--seed 1 --hosts node,deno").as_deref(),
            Some("node,deno")
        );
        assert_eq!(asked("--hosts=node --compare").as_deref(), Some("node"));
        assert_eq!(asked("--seed 1"), None);
    }
}
