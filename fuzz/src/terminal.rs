//! Printed text: of all that is stored, given or said by the host, a terminal acts on nothing, and
//! `--json` prints JSON.

use milepost::cli::{self, Invocation, ProgramName};
use milepost::effect::{Effect, Fault, Machine, Sync};
use milepost::json;
use milepost::operation::Settings;
use milepost::operation::hooks::User;
use milepost::store::{Retention, Storage};

use crate::host::{Host, Printed, ROOT, STATE, failed};
use crate::input::words::JSON;
use crate::input::{Result, Unstructured, bytes, check, document, one_in, several, text, words};

/// A repository with hostile files in it, and calls of the command line there.
pub fn run(data: &[u8]) {
    check(data, |u| {
        let scene = Scene::read(u)?;
        let plain = scene.play(false, None);
        for (words, printed) in scene.calls.iter().zip(&plain) {
            harmless(&printed.output);
            harmless(&printed.error);
            if words[0] == JSON {
                is_json(words, printed);
            }
        }
        // Without a width, the colours are the only difference that a terminal makes.
        let coloured = scene.play(true, None).into_iter().map(|printed| Printed {
            output: uncoloured(&printed.output),
            error: printed.error,
        });
        assert_eq!(coloured.collect::<Vec<_>>(), plain);
        for printed in scene.play(true, Some(30)) {
            harmless(&uncoloured(&printed.output));
            harmless(&printed.error);
        }
        Ok(())
    });
}

struct Scene {
    files: Vec<(String, Vec<u8>)>,
    git: Option<String>,
    input: Vec<u8>,
    dir: Option<String>,
    /// Never empty, each of at least one word.
    calls: Vec<Vec<String>>,
    /// The effect of this number fails, with these words.
    fault: Option<(usize, Fault, String)>,
}

impl Scene {
    fn read(u: &mut Unstructured<'_>) -> Result<Self> {
        let mut files = Vec::new();
        for path in [
            "design-checkpoint.json",
            "design-dark-mode.json",
            "ship-checkpoint.json",
        ] {
            if u.arbitrary()? {
                files.push((format!("{STATE}/{path}"), content(u)?));
            }
        }
        for stray in several(u, 2, text::any)? {
            files.push((
                format!("{STATE}/design-{}.json", stray.replace('/', "_")),
                content(u)?,
            ));
        }
        files.push((format!("{ROOT}/given.json"), content(u)?));
        if u.arbitrary()? {
            files.push((format!("{ROOT}/.git/HEAD"), text::any(u)?.into_bytes()));
        }
        let git = u.arbitrary::<bool>()?.then(|| text::any(u)).transpose()?;
        let input = content(u)?;
        let dir = one_in(u, 10)?.then(|| text::any(u)).transpose()?;
        let mut calls = several(u, 4, words::call)?;
        calls.retain(|words| !words.is_empty());
        let fault = match one_in(u, 4)? {
            true => Some((u.int_in_range(0..=40)?, fault(u)?, text::any(u)?)),
            false => None,
        };
        Ok(Scene {
            files,
            git,
            input,
            dir,
            calls,
            fault,
        })
    }

    /// The output of each call.
    fn play(&self, color: bool, width: Option<u64>) -> Vec<Printed> {
        let mut host = Host::new(self.files.clone(), self.git.clone());
        let mut count = 0;
        let mut perform = |host: &mut Host, effect: Effect| {
            count += 1;
            match &self.fault {
                Some((at, fault, detail)) if count == *at => failed(*fault, detail.clone()),
                _ => host.perform(&effect),
            }
        };
        let mut all = Vec::new();
        for words in &self.calls {
            host.input.clone_from(&self.input);
            let invocation = Invocation {
                arguments: words.clone(),
                settings: Settings {
                    root: None,
                    git_root: None,
                    working: ROOT.to_owned(),
                    alias: None,
                    dir: self.dir.clone(),
                    durability: Sync::Durable,
                    history: Retention::default(),
                    storage: Storage::Files,
                },
                program: ProgramName::default(),
                color,
                width,
                interactive: width.is_some(),
                progress: None,
                unreachable: None,
                user: User::default(),
            };
            let exit = Machine::start(|io| cli::run(io, invocation))
                .run(|effect| perform(&mut host, effect));
            assert!([0, 1, 64, 65, 74, 75].contains(&exit), "exit code {exit}");
            all.push(std::mem::take(&mut host.printed));
        }
        all
    }
}

fn content(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    Ok(match u.int_in_range(0..=9_u8)? {
        0 => text::any(u)?.into_bytes(),
        1 => bytes(u)?,
        2 => document::object(u, 3)?.to_document().into_bytes(),
        3 => handoff(u)?.into_bytes(),
        _ => document::checkpoint(u)?.to_document().into_bytes(),
    })
}

/// A document that an orchestrator and its sub-agents exchange.
fn handoff(u: &mut Unstructured<'_>) -> Result<String> {
    let context = document::object(u, 1)?.with("previous_summary", text::any(u)?);
    let handoff = document::object(u, 2)?
        .with("mode", text::any(u)?)
        .with("context", context)
        .with("context_summary", text::any(u)?);
    Ok(handoff.to_document())
}

fn fault(u: &mut Unstructured<'_>) -> Result<Fault> {
    let faults = [
        Fault::Other,
        Fault::NotFound,
        Fault::Symlink,
        Fault::WrongKind,
        Fault::TooLarge,
    ];
    u.choose(&faults).copied()
}

/// Nothing in it but text that is seen, line breaks and tabs.
fn harmless(printed: &str) {
    let acts = |it: char| match it {
        '\n' | '\t' => false,
        // C0, DEL and C1.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // The marks, embeddings, overrides and isolates of UAX #9, and the separators.
        '\u{61c}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        // Invisible characters.
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' => true,
        '\u{feff}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    };
    let found = printed.chars().find(|&it| acts(it));
    assert_eq!(found, None, "{printed:?}");
}

fn is_json(words: &[String], printed: &Printed) {
    let is_json = |text: &str| json::read(text.as_bytes()).is_ok();
    for line in printed.error.lines() {
        assert!(is_json(line), "{words:?} says {line:?}");
    }
    // A script, help and the version are the same in any form.
    let output = &printed.output;
    let is_text = words.iter().any(|word| word == "completions")
        || output.contains("Usage: milepost")
        || output.starts_with("milepost ");
    assert!(
        output.is_empty() || is_text || is_json(output),
        "{words:?} prints {output:?}"
    );
}

/// The text without the colours that the command line itself uses.
fn uncoloured(text: &str) -> String {
    let mut text = text.to_owned();
    for colour in ["\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[0m"] {
        text = text.replace(colour, "");
    }
    text
}
