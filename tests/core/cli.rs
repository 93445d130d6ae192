//! The command line, from words to exit code, on real files and a terminal in memory.

mod answers;
mod completions;
mod folder;
mod help;
pub(crate) mod hidden;
mod history;
mod hooks;
mod hosted;
mod latest;
mod mistakes;
mod news;
mod nothing;
mod nouns;
mod overview;
mod paths;
mod program;
mod reference;
mod resume;
mod rewind;
mod rules;
mod sessions;
mod spellings;
mod store;
mod tasks;
mod terminal;
mod threads;
mod transcript;
mod worktrees;

use milepost::effect::{Effect, Fault, Outcome, Stream, Until};
use milepost::json::{self, Json, Object};
use tempfile::TempDir;

use crate::disk::Disk;
use crate::variants;

/// A user in a folder of their own, outside of any repository.
struct User {
    folder: TempDir,
    /// The folder below it that they work in.
    within: &'static str,
    disk: Disk,
    /// The content of standard input.
    input: Vec<u8>,
    color: bool,
    /// The width of the terminal, if standard output is one.
    width: Option<u64>,
    /// True if a user can be asked.
    interactive: bool,
    /// A file, and what another program writes into it while the user is asked.
    write_while_asked: Option<(&'static str, &'static str)>,
    /// Why nothing can be written to standard output.
    deaf: Option<(Fault, &'static str)>,
    /// Files, and what another program writes into them, one each time that the program asks for chance.
    racing: Vec<(&'static str, &'static str)>,
    /// The facts of the user from the host: their home, and the package that runs.
    host_facts: Json,
    /// True if tokens can be counted; each byte is one.
    counts: bool,
}

/// The output of a call, and its exit code.
#[derive(Debug, PartialEq)]
struct CallResult {
    exit: u8,
    output: String,
    error: String,
}

impl User {
    fn new() -> Self {
        User {
            folder: tempfile::tempdir().unwrap(),
            within: "",
            disk: Disk::new(),
            input: Vec::new(),
            color: false,
            width: None,
            interactive: false,
            write_while_asked: None,
            deaf: None,
            racing: Vec::new(),
            host_facts: Json::Null,
            counts: false,
        }
    }

    fn working(&self) -> String {
        self.folder.path().display().to_string()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    fn pipe(&mut self, input: impl Into<Vec<u8>>) -> &mut Self {
        self.input = input.into();
        self
    }

    /// Runs the words of a line; those with spaces in them go through [`User::run`].
    fn line(&mut self, line: &str) -> CallResult {
        self.run(&line.split_whitespace().collect::<Vec<_>>())
    }

    fn run(&mut self, words: &[&str]) -> CallResult {
        let root = self.working();
        let working = match self.within {
            "" => root.clone(),
            within => format!("{root}/{within}"),
        };
        let place = Object::from_iter([
            ("git_root", root.as_str()),
            ("working", &working),
            ("durability", "lazy"),
        ]);
        let words: Vec<Json> = words.iter().map(|&word| word.into()).collect();
        let call = Object::new()
            .with("arguments", words)
            .with("place", place)
            .with("color", self.color)
            .with("width", self.width)
            .with("user", self.host_facts.clone())
            .with("interactive", self.interactive);
        self.drive(Json::from(call).to_line().as_bytes())
    }

    /// Runs a call as a host sends it, in the async and the blocking variant.
    fn drive(&mut self, call: &[u8]) -> CallResult {
        let folder = self.folder.path().to_owned();
        let (mut output, mut error) = (String::new(), String::new());
        let exit = variants::exit_code(call, |effect| match effect {
            Effect::Print { stream, text } => {
                if let (Stream::Output, Some((fault, detail))) = (stream, self.deaf) {
                    return failed(fault, detail);
                }
                match stream {
                    Stream::Output => output.push_str(&text),
                    Stream::Error => error.push_str(&text),
                }
                Outcome::Done
            }
            Effect::Input { limit, .. } if self.input.len() > limit as usize => {
                failed(Fault::TooLarge, "larger than the limit")
            }
            Effect::Input { until, .. } => {
                if let Some((name, text)) = self.write_while_asked {
                    std::fs::write(folder.join(name), text).unwrap();
                }
                let line = self.input.iter().position(|&byte| byte == b'\n');
                let end = match (until, line) {
                    (Until::Line, Some(at)) => at + 1,
                    _ => self.input.len(),
                };
                Outcome::Bytes(self.input.drain(..end).collect())
            }
            Effect::CountTokens { text, limit, .. } if self.counts => Outcome::Counted {
                tokens: text.len() as u64,
                kept: text.floor_char_boundary(limit as usize) as u64,
            },
            other => {
                if matches!(other, Effect::Random { .. }) && !self.racing.is_empty() {
                    let (name, text) = self.racing.remove(0);
                    std::fs::write(folder.join(name), text).unwrap();
                }
                self.disk.perform(other)
            }
        });
        CallResult {
            exit,
            output,
            error,
        }
    }
}

impl CallResult {
    /// The answer of a call that did what it should, without a word on standard error.
    #[track_caller]
    fn answer(self) -> String {
        assert_eq!((self.exit, self.error.as_str()), (0, ""), "{}", self.output);
        self.output
    }

    /// The reason of a call that did not answer.
    #[track_caller]
    fn refusal(self, exit: u8) -> String {
        assert_eq!(
            (self.exit, self.output.as_str()),
            (exit, ""),
            "{}",
            self.error
        );
        assert!(!self.error.is_empty(), "a refusal without a reason");
        self.error
    }
}

fn failed(fault: Fault, detail: &str) -> Outcome {
    let detail = detail.to_owned();
    Outcome::Failed { fault, detail }
}

#[track_caller]
fn parse(text: &str) -> Json {
    json::read(text.as_bytes()).unwrap().value
}

/// The value at a path of keys and numbers, such as `problems.0.at`.
#[track_caller]
fn at<'a>(json: &'a Json, path: &str) -> &'a Json {
    path.split('.').fold(json, |json, part| {
        let item = match json {
            Json::Array(items) => items.get(part.parse::<usize>().unwrap()),
            Json::Object(object) => object.get(part),
            _ => None,
        };
        item.unwrap_or_else(|| panic!("nothing at {part} of {path} in {}", json.to_line()))
    })
}
