//! Signals: to the processes of a run, and from a user who wants it to end.

use std::fmt;

use anyhow::{Result, bail};

#[cfg(not(unix))]
pub(crate) use elsewhere::{Interrupt, go_on, in_own_group, stop};
#[cfg(unix)]
pub(crate) use unix::{Interrupt, go_on, in_own_group, stop};

/// A user wanted the run to end, or another part of it has failed.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// Fails as soon as the run is to end.
pub(crate) fn check(interrupt: &Interrupt) -> Result<()> {
    if interrupt.is_raised() {
        bail!(Interrupted);
    }
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use anyhow::Result;
    use rustix::process::{Pid, Signal, kill_process};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag;

    /// Keeps Ctrl-C away from the process, which this one ends itself. Where this one is killed,
    /// the system continues what is stopped in such a group, and ends it.
    pub(crate) fn in_own_group(command: &mut Command) -> &mut Command {
        command.process_group(0)
    }

    pub(crate) fn stop(child: &Child) -> io::Result<()> {
        Ok(kill_process(Pid::from_child(child), Signal::STOP)?)
    }

    pub(crate) fn go_on(child: &Child) -> io::Result<()> {
        Ok(kill_process(Pid::from_child(child), Signal::CONT)?)
    }

    /// The flag that a user wants the run to end. While this lives, the first signal only says so; the
    /// second one ends the process.
    pub(crate) struct Interrupt(Arc<AtomicBool>);

    impl Interrupt {
        pub(crate) fn listen() -> Result<Self> {
            let raised = Arc::new(AtomicBool::new(false));
            for signal in [SIGINT, SIGTERM, SIGHUP] {
                // In this order: it looks before the next one sets it.
                flag::register_conditional_default(signal, Arc::clone(&raised))?;
                flag::register(signal, Arc::clone(&raised))?;
            }
            Ok(Self(raised))
        }

        /// Ends the run from within: one of its parts has failed.
        pub(crate) fn raise(&self) {
            self.0.store(true, Ordering::Relaxed);
        }

        pub(crate) fn is_raised(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }

    impl Drop for Interrupt {
        fn drop(&mut self) {
            self.raise();
        }
    }
}

/// The other systems cannot stop a process: a run ends before it begins.
#[cfg(not(unix))]
mod elsewhere {
    use std::io;
    use std::process::{Child, Command};

    use anyhow::{Result, bail};

    pub(crate) fn in_own_group(command: &mut Command) -> &mut Command {
        command
    }

    pub(crate) fn stop(_: &Child) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn go_on(_: &Child) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) struct Interrupt;

    impl Interrupt {
        pub(crate) fn listen() -> Result<Self> {
            bail!("processes cannot be stopped and continued on this system")
        }

        pub(crate) fn raise(&self) {}

        pub(crate) fn is_raised(&self) -> bool {
            false
        }
    }
}
