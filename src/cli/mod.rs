//! The command line: the same on every host.
//!
//! A host gives the words, what it knows of the place, whether standard output takes colour, and how
//! wide it is. Everything else, printing included, happens through effects.

mod advice;
mod age;
mod answer;
mod any_word;
mod call;
mod candidates;
mod console;
mod definition;
mod file_diff;
mod fix_command;
mod hook_steps;
mod hosted;
mod input;
mod meaning;
mod news;
mod others;
mod overview;
mod page;
mod program;
mod progress;
mod revision_arg;
mod screen;
mod session;
mod snapshot_arg;
mod spelling;
mod store;
mod target_arg;
mod time_arg;
mod verb;
mod word_limit;

use crate::effect::{Io, Machine, Stream};
use crate::error::{Code, Error};
use crate::json::{self, Json, Object};
use crate::operation::Settings;
use crate::operation::hooks::User;
use crate::operation::request;
use crate::text::visible;

pub use hosted::HookTrials;
pub use program::ProgramName;
pub use progress::watched;

use answer::{CliAnswer, Exit};
use call::{CliCall, HelpPage};
use console::Console;
use definition::Arguments;
use page::Paint;
use screen::Screen;
use verb::{Verb, version};

/// One call of the command line.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The words after the program's name.
    pub arguments: Vec<String>,
    /// The place to work in; `--root` wins over its root.
    pub settings: Settings,
    /// The words of a shell that start this program here.
    pub program: ProgramName,
    /// True where standard output is a terminal and `NO_COLOR` is unset.
    pub color: bool,
    /// The number of its columns, if it is a terminal that can do more than print line after line; 0
    /// where that is not known.
    pub width: Option<u64>,
    /// True where a question can be answered: standard input, output and error are terminals.
    pub interactive: bool,
    /// The number of columns of standard error, where it is a terminal on which a line can be drawn over, and
    /// no log keeps it; 0 where that is not known.
    pub progress: Option<u64>,
    /// The reason why the host cannot use the database that the words name, as [`store()`] says.
    pub unreachable: Option<Error>,
    /// The facts that the host knows of its user, for verbs about their settings.
    pub user: User,
}

/// Every verb with its arguments, for programs that make calls of them.
pub fn definition() -> clap::Command {
    definition::definition(&ProgramName::default(), HelpPage::Everyday)
}

/// The exit code of a call that fails with this error code.
pub fn exit_code(code: Code) -> u8 {
    Exit::from(code).code()
}

/// Begins a call that arrives as text: `{"arguments": […], "place": {…}, "color": bool, "program": TEXT,
/// "width": n, "interactive": bool, "progress": n, "unreachable": {"code", "message"}, "user":
/// {"home", "package", "variables"}}`. The last six may be absent.
///
/// The machine ends with the exit code.
pub fn start(request: &[u8]) -> Machine<u8> {
    let invocation = Invocation::read(request);
    Machine::start(|io| answer(io, invocation))
}

/// The database that the words of a request name, as JSON text: `{"variable": NAME or null, "project":
/// NAME}`, for the host to reach before the call begins; `null` without one.
pub fn store(request: &[u8]) -> String {
    let invocation = Invocation::read(request).ok();
    let named = invocation.and_then(|it| store::named(it.arguments));
    Json::from(named).to_line()
}

/// The file of the vocabulary that the words of a call name, for a host that has none by itself. The call
/// itself refuses wrong words.
pub fn vocabulary(words: &[String]) -> Option<String> {
    // Few calls name one, and every call has to be read once more for it.
    let is_named = words.iter().any(|word| word.starts_with("--vocabulary"));
    let arguments =
        is_named.then(|| definition::of_call(words.to_vec(), &ProgramName::default()).ok())??;
    arguments.global.vocabulary
}

/// The trials of registered hooks that a host which starts programs makes before a call of these words; `None` where
/// none is asked for.
pub fn hook_trials(words: &[String], working: &str) -> Option<HookTrials> {
    hosted::hook_trials(words, working)
}

/// The request to the host to do something by itself for these words, as JSON text: `{"verb": NAME, "options":
/// {"root", "dir", "json", "quiet", …}}`, with the verb's own options among them; `null` where the call is
/// one of [`start`], which also refuses wrong words.
pub fn hosted(request: &[u8]) -> String {
    let invocation = Invocation::read(request).ok();
    let request = invocation
        .filter(|it| !has_lost_bytes(&it.arguments))
        .and_then(|it| hosted::request(it.arguments, &it.settings.working));
    Json::from(request).to_line()
}

/// Runs a call that was read.
pub async fn answer(io: Io, invocation: Result<Invocation, String>) -> u8 {
    match invocation {
        Ok(invocation) => run(io, invocation).await,
        Err(reason) => {
            let reason = visible(&reason);
            let text = format!("milepost: the host's request is wrong: {reason}\n");
            // The exit code says it as well, should this not be read.
            let _ = io.print(Stream::Error, text).await;
            Exit::Usage.code()
        }
    }
}

/// Runs one call and returns its exit code.
///
/// Codes are those of `sysexits.h` and never 2: 0 done; 1 the answer is no; 64 usage; 65 data;
/// 74 input or output; 75 retry. A host that cannot come so far ends with 70.
pub async fn run(io: Io, invocation: Invocation) -> u8 {
    let Invocation {
        arguments,
        settings,
        program,
        color,
        width,
        interactive,
        progress: _,
        unreachable,
        user,
    } = invocation;
    // Where the words cannot be parsed, the wish for JSON is still heard.
    let wants_json = arguments.iter().any(|word| word == "--json");
    if has_lost_bytes(&arguments) {
        return refuse_bytes(io, wants_json, program).await.code();
    }
    // Asked for alone it needs no parser, which takes longer than all the rest of such a call.
    if let [word] = &arguments[..]
        && version::WORDS.contains(&word.as_str())
    {
        let line = CliAnswer::verbatim(version::LINE.to_owned());
        return print_alone(Console::before_a_call(io, false, program), line)
            .await
            .code();
    }
    let arguments = match definition::of_call(arguments, &program) {
        Ok(arguments) => arguments,
        Err(error) => return refuse(io, &error, wants_json, program).await.code(),
    };
    let Arguments { global, verb, .. } = arguments;
    let checked = store::check(&global, verb.as_ref(), settings.storage, unreachable);
    let mut call = CliCall::new(
        io,
        &global,
        settings,
        program,
        Paint(color),
        Screen::new(width),
        definition::definition,
    );
    call.note_verb(verb.as_ref().map(Verb::name));
    call.interactive = interactive;
    call.user = user;
    let said = match (checked, verb) {
        (Err(error), _) => Err(error),
        (Ok(database), Some(verb)) => {
            call.database = database;
            verb.run(&call).await
        }
        (Ok(_), None) => overview::run(&call).await,
    };
    call.end(said).await.code()
}

/// Hosts put U+FFFD in place of bytes that are not UTF-8: a name or a text with it is not the one that
/// was meant.
fn has_lost_bytes(words: &[String]) -> bool {
    words.iter().any(|word| word.contains('\u{FFFD}'))
}

async fn refuse_bytes(io: Io, json: bool, program: ProgramName) -> Exit {
    let console = Console::before_a_call(io, json, program);
    let message = "An argument is not UTF-8, or holds U+FFFD, which stands for bytes that are not; give a text \
                   that has to hold it in a file, or in standard input as -";
    console.fail(&Error::usage(message.to_owned())).await;
    Exit::Usage
}

/// Prints an answer for which nothing was looked at.
async fn print_alone(console: Console, answer: CliAnswer) -> Exit {
    match console.answer(answer).await {
        Ok(()) => Exit::Done,
        Err(failed) => {
            console.fail(&failed.cannot_do("print the answer")).await;
            Exit::Io
        }
    }
}

/// Help and version are answers; anything else that stops the parser is wrong usage.
async fn refuse(io: Io, error: &clap::Error, json: bool, program: ProgramName) -> Exit {
    let text = error.render().to_string();
    let console = Console::before_a_call(io, json, program);
    if !error.use_stderr() {
        return print_alone(console, CliAnswer::verbatim(text)).await;
    }
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    match json {
        true => console.fail(&Error::usage(text.to_owned())).await,
        // The parser gives its own advice.
        false => console.say(text).await,
    }
    Exit::Usage
}

impl Invocation {
    /// Reads a call that arrives as text.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong with it.
    pub fn read(request: &[u8]) -> Result<Self, String> {
        let reading = json::read(request).map_err(|malformed| malformed.to_string())?;
        let object = reading.value.as_object().ok_or("expected an object")?;
        let arguments = object
            .get("arguments")
            .and_then(Json::as_array)
            .and_then(|items| {
                items
                    .iter()
                    .map(|item| item.as_str().map(str::to_owned))
                    .collect()
            })
            .ok_or("expected a list of strings in `arguments`")?;
        let color = object
            .get("color")
            .and_then(Json::as_bool)
            .ok_or("expected a boolean in `color`")?;
        let columns = |name: &str| match object.get(name) {
            None | Some(Json::Null) => Ok(None),
            Some(columns) => match columns.as_u64() {
                None => Err(format!("expected a number in `{name}`")),
                columns => Ok(columns),
            },
        };
        let (width, progress) = (columns("width")?, columns("progress")?);
        let interactive = match object.get("interactive") {
            None => false,
            Some(flag) => flag
                .as_bool()
                .ok_or("expected a boolean in `interactive`")?,
        };
        let program = match object.get("program") {
            None => ProgramName::default(),
            Some(words) => words
                .as_str()
                .map(ProgramName::new)
                .ok_or("expected a string in `program`")?,
        };
        let unreachable = object.get("unreachable").and_then(Json::as_object);
        let place = object.get("place").cloned();
        let place = place.ok_or("expected an object in `place`")?;
        let settings = request::settings(place).map_err(|error| error.to_string())?;
        Ok(Invocation {
            arguments,
            settings,
            program,
            color,
            width,
            interactive,
            progress,
            unreachable: unreachable.map(failure).transpose()?,
            user: object.get("user").map(User::read).unwrap_or_default(),
        })
    }
}

/// A failure of the host's own, as it says it.
fn failure(object: &Object) -> Result<Error, String> {
    let text = |key| object.get(key).and_then(Json::as_str);
    match (text("code"), text("message")) {
        (Some("usage"), Some(message)) => Ok(Error::usage(message.to_owned())),
        (Some(_), Some(message)) => Ok(Error::io("", String::new(), message.to_owned())),
        _ => Err("expected `code` and `message` in `unreachable`".to_owned()),
    }
}
