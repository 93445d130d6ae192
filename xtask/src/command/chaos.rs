//! `cargo xtask chaos`: what the chaos run needs, and its start.

use std::process::Command;

use anyhow::{Context, Result};

use super::run;
use crate::building::BuildContext;
use crate::building::program::Program;
use crate::tools::ToolLookup;
use crate::workspace::Workspace;

/// Sets up the hosts that are asked for, and runs it on this process's streams; `false` when it ended
/// otherwise than with 0.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<bool> {
    if arguments
        .iter()
        .any(|it| ["-h", "--help", "--plan"].contains(&it.as_str()))
    {
        return run::program(workspace, Program::Chaos, arguments);
    }
    let (mut chaos, missing) = prepare(&BuildContext::new(workspace), hosts_asked_for(arguments))?;
    let status = chaos.args(arguments).status();
    for why in missing {
        println!("skipped: {why}");
    }
    Ok(status.context("cannot start it")?.success())
}

/// The command that starts it, once everything is built; the texts say why a host is not there.
pub(crate) fn prepare(
    context: &BuildContext,
    asked: Option<&str>,
) -> Result<(Command, Vec<String>)> {
    let mut command = Command::new(context.program(Program::Chaos)?);
    // Beside the installed package, so that an import finds it.
    let scripts = context.project()?.join("tests/faults/chaos/scripts");
    command.current_dir(context.workspace.root());
    command.arg("--scripts").arg(scripts);

    let is_asked = |host| asked.is_none_or(|list| list.split(',').any(|it| it == host));
    let mut missing = Vec::new();
    if is_asked("deno") {
        match context.hosts()?.deno() {
            ToolLookup::At(program) => {
                command.arg("--deno").arg(program);
            }
            ToolLookup::Missing(why) => missing.push(format!("Deno: {why}")),
        }
    }
    if is_asked("wasmtime") {
        match context.wasmtime()? {
            ToolLookup::At(program) => {
                command.arg("--wasmtime").arg(program);
                command.arg("--component").arg(context.compiled(program)?);
            }
            ToolLookup::Missing(why) => missing.push(format!("wasmtime: {why}")),
        }
    }
    if is_asked("native") {
        let program = context.program(Program::CommandLine)?;
        command.arg("--native").arg(program);
    }
    Ok((command, missing))
}

/// The hosts that follow `--hosts`: a host that takes no part is not waited for.
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
    fn a_host_that_takes_no_part_is_not_set_up() {
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
