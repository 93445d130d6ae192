//! The disk, with a clock and faults that a scenario decides.

use milepost::effect::{Effect, Fault, Outcome, Stream};

use crate::disk::Disk;
use crate::variants;

/// The kind of a fault at an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultMode {
    /// It is refused.
    Once,
    /// It and every later one is refused.
    Always,
    /// It is done, and reported as failed.
    DoneButReported,
}

impl FaultMode {
    pub(super) const ALL: [FaultMode; 3] = [
        FaultMode::Once,
        FaultMode::Always,
        FaultMode::DoneButReported,
    ];
}

/// Something done at the first waiting.
type WhileWaiting<'a> = Box<dyn FnOnce() + 'a>;

pub(super) struct Host<'a> {
    disk: Disk,
    /// The wall clock, where the scenario sets it.
    pub(super) wall_ms: Option<f64>,
    /// The time by which a scenario moved it on.
    pub(super) passed_ms: f64,
    /// Time that was waited for; nothing sleeps.
    waited_ms: f64,
    pub(super) while_waiting: Option<WhileWaiting<'a>>,
    /// The number of effects on files.
    pub(super) files: usize,
    pub(super) fault: Option<(usize, FaultMode)>,
    pub(super) input: Vec<u8>,
    /// The output on either stream.
    pub(super) printed: String,
}

impl<'a> Host<'a> {
    pub(super) fn new() -> Self {
        Host {
            disk: Disk::new(),
            wall_ms: None,
            passed_ms: 0.0,
            waited_ms: 0.0,
            while_waiting: None,
            files: 0,
            fault: None,
            input: Vec::new(),
            printed: String::new(),
        }
    }

    /// Runs the operation of a request to its reply, in the async and the blocking variant.
    pub(super) fn ask(&mut self, request: &[u8]) -> String {
        variants::reply(request, |effect| self.perform(effect))
    }

    /// Runs a call of the command line to its exit code, in the async and the blocking variant.
    #[cfg(feature = "cli")]
    pub(super) fn call(&mut self, request: &[u8]) -> u8 {
        variants::exit_code(request, |effect| self.perform(effect))
    }

    fn perform(&mut self, effect: Effect) -> Outcome {
        match effect {
            Effect::Clock => self.clock(),
            Effect::Wait { ms } => {
                if let Some(act) = self.while_waiting.take() {
                    act();
                }
                self.waited_ms += f64::from(ms);
                Outcome::Done
            }
            Effect::Print { stream, text } => {
                assert!(matches!(stream, Stream::Output | Stream::Error));
                self.printed.push_str(&text);
                Outcome::Done
            }
            Effect::Input { limit, .. } if self.input.len() > limit as usize => {
                failed(Fault::TooLarge, "larger than the limit")
            }
            Effect::Input { .. } => Outcome::Bytes(std::mem::take(&mut self.input)),
            Effect::Random { .. } => self.disk.perform(effect),
            effect => self.perform_on_files(effect),
        }
    }

    fn perform_on_files(&mut self, effect: Effect) -> Outcome {
        let number = self.files;
        self.files += 1;
        match self.fault {
            Some((at, FaultMode::Once)) if at == number => io_error(),
            Some((at, FaultMode::Always)) if at <= number => io_error(),
            Some((at, FaultMode::DoneButReported)) if at == number => {
                self.disk.perform(effect);
                io_error()
            }
            _ => self.disk.perform(effect),
        }
    }

    fn clock(&mut self) -> Outcome {
        match self.disk.perform(Effect::Clock) {
            Outcome::Clock {
                wall_ms,
                monotonic_ms,
            } => Outcome::Clock {
                wall_ms: self.wall_ms.unwrap_or(wall_ms) + self.passed_ms,
                monotonic_ms: monotonic_ms + self.waited_ms,
            },
            other => panic!("{other:?}"),
        }
    }
}

fn io_error() -> Outcome {
    failed(Fault::Other, "EIO: i/o error")
}

fn failed(fault: Fault, detail: &str) -> Outcome {
    let detail = detail.to_owned();
    Outcome::Failed { fault, detail }
}
