//! The process of an agent: whether the owner of a run is gone.
//!
//! On Linux `/proc` shows it: a process is known by the host, the boot, the namespace of its id, the id and its start
//! time. Elsewhere, and where that is out of reach, as in a sandbox, nothing is known.

use crate::effect::{Fault, Io, Links};
use crate::json::{Json, Object};

const LIMIT: u32 = 64 << 10;

/// A process that an agent runs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    host: String,
    boot: String,
    /// The start time of the first process of the namespace: other namespaces have other ones.
    namespace: String,
    id: String,
    started: String,
}

/// The state of an owner's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessState {
    /// It is there.
    Running,
    /// It is not there any more.
    Gone,
    /// Nothing is known of it.
    Unknown,
}

impl Process {
    /// The process that started this one, without the shell that an agent may start for the line of a hook.
    pub(super) async fn of_agent(io: &Io) -> Option<Process> {
        let own = ProcessStat::read(io, "self").await?;
        let mut id = own.parent;
        for _ in 0..2 {
            let line = text(io, &format!("/proc/{id}/cmdline")).await?;
            if !is_shell_of_hook(&line) {
                break;
            }
            id = ProcessStat::read(io, &id).await?.parent;
        }
        let started = ProcessStat::read(io, &id).await?.started;
        let ProcessNamespace {
            host,
            boot,
            namespace,
        } = ProcessNamespace::read(io).await?;
        Some(Process {
            host,
            boot,
            namespace,
            id,
            started,
        })
    }

    /// Returns whether it is still there.
    pub(super) async fn state(&self, io: &Io) -> ProcessState {
        let Some(here) = ProcessNamespace::read(io).await else {
            return ProcessState::Unknown;
        };
        let is_here =
            (&self.host, &self.boot, &self.namespace) == (&here.host, &here.boot, &here.namespace);
        if !is_here || !self.id.bytes().all(|it| it.is_ascii_digit()) {
            return ProcessState::Unknown;
        }
        let path = format!("/proc/{}/stat", self.id);
        match io.read(path, LIMIT, Links::Refuse).await {
            Ok(bytes) => match ProcessStat::parse(&bytes) {
                Some(status) if status.started == self.started && !status.is_zombie => {
                    ProcessState::Running
                }
                Some(_) => ProcessState::Gone,
                None => ProcessState::Unknown,
            },
            Err(failed) if failed.fault == Fault::NotFound => ProcessState::Gone,
            Err(_) => ProcessState::Unknown,
        }
    }

    /// As it is recorded.
    pub(super) fn to_object(&self) -> Object {
        Object::new()
            .with("host", self.host.as_str())
            .with("boot", self.boot.as_str())
            .with("namespace", self.namespace.as_str())
            .with("id", self.id.as_str())
            .with("started", self.started.as_str())
    }

    /// From what was recorded.
    pub(super) fn of(recorded: &Object) -> Option<Process> {
        let member = |key: &str| recorded.get(key).and_then(Json::as_str).map(str::to_owned);
        Some(Process {
            host: member("host")?,
            boot: member("boot")?,
            namespace: member("namespace")?,
            id: member("id")?,
            started: member("started")?,
        })
    }
}

/// The namespace in which ids of processes mean something.
struct ProcessNamespace {
    host: String,
    boot: String,
    namespace: String,
}

impl ProcessNamespace {
    async fn read(io: &Io) -> Option<ProcessNamespace> {
        Some(ProcessNamespace {
            host: text(io, "/proc/sys/kernel/hostname").await?,
            boot: text(io, "/proc/sys/kernel/random/boot_id").await?,
            namespace: ProcessStat::read(io, "1").await?.started,
        })
    }
}

/// The fields of `/proc/ID/stat` that matter.
#[derive(Debug, PartialEq, Eq)]
struct ProcessStat {
    parent: String,
    started: String,
    is_zombie: bool,
}

impl ProcessStat {
    async fn read(io: &Io, id: &str) -> Option<ProcessStat> {
        let path = format!("/proc/{id}/stat");
        // `/proc/self` is a link; the file in it is a regular one.
        ProcessStat::parse(&io.read(path, LIMIT, Links::Refuse).await.ok()?)
    }

    /// The name of the program stands in parentheses, and may hold any character.
    fn parse(bytes: &[u8]) -> Option<ProcessStat> {
        let text = String::from_utf8_lossy(bytes);
        let (_, rest) = text.rsplit_once(')')?;
        let mut fields = rest.split_ascii_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.to_owned();
        // The 22nd field of all is the start time.
        let started = fields.nth(17)?.to_owned();
        Some(ProcessStat {
            parent,
            started,
            is_zombie: matches!(state, "Z" | "X"),
        })
    }
}

/// Returns whether a command line is that of a shell that an agent started for a hook: `sh -c 'node …'`.
fn is_shell_of_hook(line: &str) -> bool {
    let mut words = line.split('\0');
    let program = words.next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default();
    let is_shell = matches!(
        name,
        "sh" | "bash"
            | "dash"
            | "zsh"
            | "ash"
            | "busybox"
            | "pwsh"
            | "fish"
            | "ksh"
            | "mksh"
            | "tcsh"
            | "csh"
            | "nu"
            | "env"
            | "timeout"
            | "nice"
            | "setsid"
    );
    // A script has its name here, and not its text.
    is_shell && words.any(|word| word.contains("milepost") && word.contains(' '))
}

async fn text(io: &Io, path: &str) -> Option<String> {
    let bytes = io.read(path.to_owned(), LIMIT, Links::Refuse).await.ok()?;
    let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::{ProcessStat, is_shell_of_hook};

    #[test]
    fn the_name_of_a_program_does_not_move_the_fields_behind_it() {
        let rest = "S 41 7 7 0 -1 4194560 1 0 0 0 2 1 0 0 20 0 1 0 8675309 1 2 3";
        for name in ["node", "a b", ") S 1 (x", "\u{e9})"] {
            let status = ProcessStat::parse(format!("42 ({name}) {rest}\n").as_bytes()).unwrap();
            assert_eq!(
                (status.parent.as_str(), status.started.as_str()),
                ("41", "8675309")
            );
            assert!(!status.is_zombie);
        }
        assert_eq!(ProcessStat::parse(b"42 (node) S 41"), None);
        assert_eq!(ProcessStat::parse(b""), None);
    }

    #[test]
    fn the_shell_of_a_hook_is_no_agent() {
        for (line, expected) in [
            ("/bin/sh\0-c\0node -e \"x\" milepost/hook codex\0", true),
            ("bash\0session.sh\0", false),
            (
                "/bin/bash\0-c\0node /p/milepost/hook.js codex ; exit 0\0",
                true,
            ),
            ("bash\0/p/milepost/session.sh\0", false),
            ("node\0agent.js\0", false),
            ("", false),
        ] {
            assert_eq!(is_shell_of_hook(line), expected, "{line:?}");
        }
    }
}
