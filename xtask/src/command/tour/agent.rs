//! The process of an agent that runs hooks, and can be killed as an agent can.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// Runs what it is sent, a line of JSON each, and answers with what was printed.
const SCRIPT: &str = "
const { spawnSync } = require('node:child_process');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { command, args, input } = JSON.parse(line);
  const run = spawnSync(command, args ?? [], { input, shell: args === null, encoding: 'utf8' });
  const { status, stdout, stderr, error } = run;
  console.log(JSON.stringify({ status, stdout, stderr, error: error?.message }));
});
";

/// A running agent.
pub(super) struct Agent {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Agent {
    /// Starts it by a command of Node, which has its folder and its environment.
    pub(super) fn start(mut node: Command) -> Result<Self> {
        let mut process = node
            .args(["-e", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start `node`")?;
        let input = process.stdin.take().context("the agent has no input")?;
        let output = process.stdout.take().context("the agent has no output")?;
        Ok(Self {
            process,
            input,
            output: BufReader::new(output),
        })
    }

    /// Runs a hook with its payload. Returns what it prints. `args` is null for a command line of a shell.
    pub(super) fn hook(&mut self, command: &str, args: &Value, payload: &str) -> Result<String> {
        let request = json!({ "command": command, "args": args, "input": payload });
        writeln!(self.input, "{request}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line).context("the agent does not answer")?;
        let errors = answer["stderr"].as_str().unwrap_or_default().trim_end();
        if answer["status"] != 0 {
            bail!("`{command}` failed ({})\n{errors}", answer["status"]);
        }
        // A hook disturbs no agent: it fails with a line here and exit code 0.
        if errors.contains("[milepost hook]") {
            bail!("a hook failed: {errors}");
        }
        Ok(answer["stdout"].as_str().unwrap_or_default().to_owned())
    }

    /// Kills it, as `kill -9` does: it says nothing more to anybody.
    pub(super) fn kill(mut self) -> Result<()> {
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }
}
