//! The answers of a broken host: first as the input says, then over and over in a few ways.

use milepost::effect::{Effect, Fault, Outcome, PathEntry, PathKind, Scanned};

use crate::host::{Host, ROOT, STATE, failed};
use crate::input::{Result, Unstructured, bytes, document, several, text};

const FAULTS: [Fault; 11] = [
    Fault::NotFound,
    Fault::Exists,
    Fault::Symlink,
    Fault::WrongKind,
    Fault::TooLarge,
    Fault::NoSpace,
    Fault::Unsupported,
    Fault::Denied,
    Fault::Closed,
    Fault::Sharing,
    Fault::Other,
];

const KINDS: [PathKind; 6] = [
    PathKind::Absent,
    PathKind::File,
    PathKind::Folder,
    PathKind::Symlink,
    PathKind::Other,
    PathKind::Denied,
];

/// Moments that no clock should show, and a year to either side.
const CLOCKS: [f64; 8] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    -1.0,
    0.0,
    1e300,
    1_768_464_000_000.0,
    1_831_536_000_000.0,
];

/// Names that the store gives, or nearly.
const NAMES: [&str; 10] = [
    "design-checkpoint.json",
    "design-dark-mode.json",
    "ship-checkpoint.json",
    ".milepost",
    "0123456789abcdef0123456789abcdef",
    "fedcba9876543210fedcba9876543210",
    "0123456789abcdef0123456789abcdef.new",
    "1-0123456789abcdef0123456789abcdef.json",
    "9007199254740993-0123456789abcdef0123456789abcdef.json",
    "0123456789abcdef0123456789abcdef.tmp",
];

/// The files that other writers may have left below the state folder.
const LEFT_OVER: [&str; 7] = [
    "design-checkpoint/lock",
    "design-checkpoint/waiting",
    "design-checkpoint/tokens/0123456789abcdef0123456789abcdef",
    "design-checkpoint/tokens/0123456789abcdef0123456789abcdef.new",
    "design-checkpoint/history/1-0123456789abcdef0123456789abcdef.json",
    "design-checkpoint/history/0123456789abcdef0123456789abcdef.tmp",
    "design-checkpoint/history",
];

/// The answer to one effect: in which manner, with which kind of outcome, and with what in it.
type Manner = [u8; 3];

/// Most answers are honest, so that operations get to their end: a manner below this.
const ODD: u8 = 216;

pub(super) struct Script {
    first: Vec<Manner>,
    /// Over and over, once `first` has come to its end. The clock goes on then.
    then: Vec<Manner>,
    answered: usize,
    now_ms: f64,
    /// The contents of files, and of what git prints.
    contents: Vec<Vec<u8>>,
    names: Vec<String>,
    detail: String,
    host: Host,
}

impl Script {
    pub(super) fn read(u: &mut Unstructured<'_>) -> Result<Self> {
        let contents = several(u, 4, content)?;
        let mut files = Vec::new();
        for bytes in contents.iter().take(1) {
            files.push((format!("{STATE}/design-checkpoint.json"), bytes.clone()));
        }
        for left in several(u, 3, |u| u.choose(&LEFT_OVER).copied())? {
            files.push((
                format!("{STATE}/.milepost/{left}"),
                text::any(u)?.into_bytes(),
            ));
        }
        let mut names: Vec<String> = NAMES.map(str::to_owned).into();
        names.extend(several(u, 2, text::any)?);
        Ok(Script {
            host: Host::new(files, Some(text::any(u)?)),
            detail: text::any(u)?,
            names,
            contents,
            then: several(u, 4, |u| match u.arbitrary()? {
                true => Ok([0, 0, 0]),
                false => Ok([u.int_in_range(ODD..=255)?, u.arbitrary()?, u.arbitrary()?]),
            })?,
            first: several(u, 120, Unstructured::arbitrary)?,
            answered: 0,
            now_ms: 1_800_000_000_000.0,
        })
    }

    /// The number of answers that the input itself gives.
    pub(super) fn len(&self) -> usize {
        self.first.len()
    }

    pub(super) fn answer(&mut self, effect: &Effect) -> Outcome {
        let number = self.answered;
        self.answered += 1;
        self.now_ms += 1.0;
        let is_over = number >= self.first.len();
        let [manner, kind, detail] = match (self.first.get(number), self.then.len()) {
            (Some(manner), _) => *manner,
            (None, 0) => [0, 0, 0],
            (None, count) => self.then[number % count],
        };
        let is_time = matches!(effect, Effect::Clock | Effect::Wait { .. });
        match manner {
            _ if is_over && is_time => self.honest(effect),
            ..ODD => self.honest(effect),
            ODD..226 => self.failed(detail),
            // It was done all the same.
            226..236 => {
                self.honest(effect);
                self.failed(detail)
            }
            236..246 => self.any(kind, detail),
            246.. => self.fitting(effect, detail),
        }
    }

    fn honest(&mut self, effect: &Effect) -> Outcome {
        match effect {
            Effect::Clock => self.clock(self.now_ms),
            Effect::Wait { ms } => {
                self.now_ms += f64::from(*ms);
                Outcome::Done
            }
            // The bytes written last may be read at any other place.
            Effect::Create { bytes, .. } => {
                self.contents.push(bytes.clone());
                self.host.perform(effect)
            }
            other => self.host.perform(other),
        }
    }

    fn clock(&self, ms: f64) -> Outcome {
        Outcome::Clock {
            wall_ms: ms,
            monotonic_ms: ms,
        }
    }

    fn failed(&self, detail: u8) -> Outcome {
        failed(
            FAULTS[usize::from(detail) % FAULTS.len()],
            self.detail.clone(),
        )
    }

    /// The right kind of outcome, with anything in it.
    fn fitting(&self, effect: &Effect, detail: u8) -> Outcome {
        match effect {
            Effect::Clock => self.any(2, detail),
            Effect::Random { length } => Outcome::Bytes(vec![detail; *length as usize]),
            Effect::Inspect { paths } => Outcome::Entries(
                (0..paths.len())
                    .map(|at| entry(detail.rotate_left(at as u32)))
                    .collect(),
            ),
            Effect::Read { .. }
            | Effect::ReadStart { .. }
            | Effect::Part { .. }
            | Effect::ReadLink { .. }
            | Effect::Git { .. }
            | Effect::Input { .. } => self.any(1, detail),
            Effect::Ascend { .. } => self.any(4, detail),
            Effect::List { .. } | Effect::Survey { .. } => self.any(5, detail),
            Effect::Scan { .. } => self.any(6, detail),
            _ => Outcome::Done,
        }
    }

    /// Any kind of outcome.
    fn any(&self, kind: u8, detail: u8) -> Outcome {
        let at = usize::from(detail);
        match kind % 8 {
            0 => Outcome::Done,
            1 => Outcome::Bytes(match self.contents.len() {
                0 => vec![detail],
                count => self.contents[at % count].clone(),
            }),
            2 => self.clock(CLOCKS[at % CLOCKS.len()]),
            3 => Outcome::Entries(vec![entry(detail); at % 12]),
            4 => Outcome::Found {
                folder: [ROOT, "/", "", "\u{1b}"][at % 4].to_owned(),
                below: ["", "a", "../..", "\0"][at / 4 % 4].to_owned(),
                kind: KINDS[at / 16 % KINDS.len()],
            },
            5 => {
                let from = at / 2 % self.names.len();
                let names = self.names[from..].iter().take(1 + at % 5);
                Outcome::Names {
                    names: names.cloned().collect(),
                    complete: at % 2 == 1,
                }
            }
            6 => {
                let from = at / 2 % self.names.len();
                let names = self.names[from..].iter().take(1 + at % 5);
                let scanned = |name: &String| Scanned {
                    name: name.clone(),
                    entry: entry(detail),
                    modified_ms: CLOCKS[at % CLOCKS.len()],
                    changed_ms: CLOCKS[at / 8 % CLOCKS.len()],
                    number: u64::from(detail),
                };
                Outcome::Scanned {
                    entries: names.map(scanned).collect(),
                    complete: at % 2 == 1,
                }
            }
            _ => self.failed(detail),
        }
    }
}

fn entry(detail: u8) -> PathEntry {
    let sizes = [0, 1, 300, u64::MAX];
    PathEntry {
        kind: KINDS[usize::from(detail) % KINDS.len()],
        size: sizes[usize::from(detail >> 6)],
        mode: [None, Some(0o700), Some(0o644), Some(u32::MAX)][usize::from(detail >> 4) % 4],
    }
}

fn content(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    const GIT: [&str; 6] = [
        "ref: refs/heads/main\n",
        "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d\n",
        "gitdir: ../.git/worktrees/x\n",
        "ref: refs/heads/.invalid\n",
        "# pack-refs with: peeled\nd36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d refs/heads/main\n",
        "DIRC\0\0\0\x02\0\0\0\x01",
    ];
    Ok(match u.int_in_range(0..=6_u8)? {
        0 => bytes(u)?,
        1 => text::any(u)?.into_bytes(),
        2 | 3 => (*u.choose(&GIT)?).as_bytes().to_vec(),
        _ => document::checkpoint(u)?.to_document().into_bytes(),
    })
}
