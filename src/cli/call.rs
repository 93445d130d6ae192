//! One call in flight: its console, its place, and the arguments of every verb.

use std::cell::RefCell;

use clap::Args;

use crate::agent::registration::DatabaseRef;
use crate::effect::{Io, PathKind};
use crate::error::{Advice, Code, Error, Target, Warning, Written};
use crate::integrations;
use crate::json::{self, Json, Pointer};
use crate::operation::hooks::User;
use crate::operation::project::load_integrations::load_integrations;
use crate::operation::project::location::{Location, location};
use crate::operation::{Reply, Settings, Warnings};
use crate::schema::{Problem, ProblemCode};
use crate::store::Storage;

use super::advice::{self, CommandContext};
use super::answer::{CliAnswer, Exit, Weight};
use super::console::Console;
use super::input;
use super::page::Paint;
use super::program::ProgramName;
use super::screen::Screen;

/// The options of every verb.
#[derive(Args, Debug)]
pub(super) struct GlobalOptions {
    /// Use DIR as the root, instead of the repository around the working directory
    #[arg(short = 'C', long, global = true, value_name = "DIR", help_heading = GLOBAL)]
    pub(super) root: Option<String>,
    /// Keep state in this folder instead of .claude/state
    #[arg(long, global = true, value_name = "DIR", help_heading = GLOBAL)]
    pub(super) dir: Option<String>,
    /// Keep runs in PostgreSQL; the environment variable NAME holds the connection string, and `env:` alone
    /// takes PGHOST, PGUSER and the others (on Node)
    #[arg(long, global = true, value_name = "env:NAME", help_heading = GLOBAL)]
    pub(super) store: Option<String>,
    /// With --store, the name of this project in the database, on every machine
    #[arg(long, global = true, value_name = "NAME", help_heading = GLOBAL)]
    pub(super) project: Option<String>,
    /// Count exact tokens by the vocabulary in this file (on wasmtime; the npm package has its own)
    #[arg(long, global = true, value_name = "FILE", help_heading = GLOBAL)]
    pub(super) vocabulary: Option<String>,
    /// Print JSON
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(super) json: bool,
    /// Print no warnings and no confirmations, only answers and errors
    #[arg(short, long, global = true, help_heading = GLOBAL)]
    pub(super) quiet: bool,
}

const GLOBAL: &str = "Global options";

/// One call.
pub(super) struct CliCall {
    console: Console,
    pub(super) settings: Settings,
    pub(super) paint: Paint,
    pub(super) screen: Screen,
    /// True where a question can be answered.
    pub(super) interactive: bool,
    /// The facts that the host knows of its user.
    pub(super) user: User,
    /// The database that the words name.
    pub(super) database: Option<DatabaseRef>,
    /// The definition of all words, for shells and for help.
    definition: fn(&ProgramName, HelpPage) -> clap::Command,
}

/// The verbs that the first page of the help lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HelpPage {
    /// Those that are typed every day.
    Everyday,
    /// Every one.
    All,
}

impl CliCall {
    /// A call with these global options.
    pub(super) fn new(
        io: Io,
        global: &GlobalOptions,
        mut settings: Settings,
        program: ProgramName,
        paint: Paint,
        screen: Screen,
        definition: fn(&ProgramName, HelpPage) -> clap::Command,
    ) -> Self {
        if let Some(root) = &global.root {
            settings.root = Some(input::resolve(&settings.working, root));
        }
        if global.dir.is_some() {
            settings.dir.clone_from(&global.dir);
        }
        CliCall {
            console: Console {
                io,
                json: global.json,
                quiet: global.quiet,
                paint,
                context: CommandContext {
                    root: global.root.clone(),
                    dir: global.dir.clone(),
                    store: global.store.clone(),
                    project: global.project.clone(),
                    ..CommandContext::of(program)
                },
                warned: RefCell::default(),
            },
            settings,
            paint,
            screen,
            interactive: false,
            user: User::default(),
            database: None,
            definition,
        }
    }

    pub(super) fn io(&self) -> &Io {
        &self.console.io
    }

    /// Refuses what is about files, where runs are kept in a database.
    pub(super) fn expect_files(&self, what: &str) -> Result<(), Error> {
        match self.settings.storage {
            Storage::Files => Ok(()),
            Storage::Records => Err(Error::usage(format!(
                "{what} are kept in files, and there are none in a database: call it without `--store`"
            ))),
        }
    }

    /// The refusal of a verb that the host does by itself, on a host that does not.
    pub(super) fn needs_node(&self, verb: &str) -> Error {
        let on_node = CommandContext {
            program: ProgramName::new("npx milepost"),
            ..self.console.context.clone()
        };
        Error::usage(format!(
            "`milepost {verb}` needs Node: run `{}` in a project that depends on the package",
            advice::line(verb, None, "", &on_node)
        ))
    }

    /// The words that called the program.
    pub(super) fn program(&self) -> &ProgramName {
        &self.console.context.program
    }

    /// The definition of all words, with help that names the words that called the program.
    pub(super) fn definition(&self, page: HelpPage) -> clap::Command {
        (self.definition)(self.program(), page)
    }

    /// The refusal of a database, on a host that reaches none.
    pub(super) fn needs_database() -> Error {
        Error::usage(
            "`--store` needs a host that can reach a database, and this one cannot: expected Node, as \
             with `npx milepost` in a project that depends on the package"
                .to_owned(),
        )
    }

    /// A command of this program, on the place that the caller named; `words` are those of a shell.
    pub(super) fn command(&self, verb: &str, target: Option<&Target>, words: &str) -> String {
        advice::line(verb, target, words, &self.console.context)
    }

    /// The sentence of an advice, with the place that the caller named in its command.
    pub(super) fn advice(&self, advice: &Advice) -> String {
        advice::words(advice, &self.console.context)
    }

    /// Notes the verb of the call, whose help is where a failure points to.
    pub(super) fn note_verb(&mut self, verb: Option<&'static str>) {
        self.console.context.verb = verb;
    }

    /// Notes that the caller named a run without a feature: commands that are printed name it so, too.
    pub(super) fn note_featureless(&self) {
        self.console.context.is_featureless.set(true);
    }

    /// The host's clock, in milliseconds since 1970.
    pub(super) async fn now(&self) -> Result<f64, Error> {
        Ok(self.io().now().await?.wall_ms)
    }

    /// The options of this call that say where, for commands that are run in the root itself.
    pub(super) fn context_in_root(&self) -> CommandContext {
        CommandContext {
            root: self.settings.root.as_ref().map(|_| ".".to_owned()),
            ..self.console.context.clone()
        }
    }

    /// Returns true where the answer goes to a program.
    pub(super) fn wants_json(&self) -> bool {
        self.console.json
    }

    /// Prints what a verb has to say; returns how the call ends.
    pub(super) async fn end(&self, said: Result<CliAnswer, Error>) -> Exit {
        let mut answer = match said {
            Ok(answer) => answer,
            Err(error) => return self.fail(&error).await,
        };
        if answer.weight == Weight::Confirmation {
            let lines = answer.text.lines();
            answer.text = lines.map(|line| self.screen.fold(line)).collect();
        }
        let (exit, weight) = (answer.exit, answer.weight);
        let Err(failed) = self.console.answer(answer).await else {
            return exit;
        };
        let error = match weight {
            Weight::Data => failed.cannot_do("print the answer"),
            // The change is made in any case.
            Weight::Confirmation => {
                let error = failed.cannot_do("print the answer, but the update is saved");
                error.with_written(Written::Yes)
            }
        };
        self.fail(&error).await
    }

    /// Prints what a call that fails has to show before it does.
    ///
    /// # Errors
    ///
    /// [`Error::io`] where it cannot be printed.
    pub(super) async fn show(&self, answer: CliAnswer) -> Result<(), Error> {
        let shown = self.console.answer(answer).await;
        shown.map_err(|failed| failed.cannot_do("print the answer"))
    }

    /// Returns true where a regular file stands at a path of the host.
    ///
    /// # Errors
    ///
    /// [`Error::io`] where the host cannot look.
    pub(super) async fn is_file(&self, path: &str) -> Result<bool, Error> {
        let looked = self.io().inspect(vec![path.to_owned()]).await;
        let entries = looked.map_err(|failed| failed.cannot("look at", path))?;
        Ok(entries.iter().any(|entry| entry.kind == PathKind::File))
    }

    /// Prints a failure; returns how a call ends that has this one.
    pub(super) async fn fail(&self, error: &Error) -> Exit {
        self.console.fail(error).await;
        Exit::from(error.code())
    }

    /// Prints the warnings and returns the result.
    pub(super) async fn settle<T>(&self, reply: Reply<T>) -> Result<T, Error> {
        self.warn_all(&reply.warnings).await;
        reply.result
    }

    /// Prints the warnings, and a failure as one of them; returns the result.
    pub(super) async fn passed_over<T>(&self, reply: Reply<T>) -> Option<T> {
        self.warn_all(&reply.warnings).await;
        match reply.result {
            Ok(value) => Some(value),
            Err(error) => {
                self.warn_all(&[Warning::passed_over(&error)]).await;
                None
            }
        }
    }

    /// The sentence that there is nothing, with what was looked at where that may be too little.
    pub(super) async fn nothing(&self, sentence: &str) -> String {
        let reply = location(self.io(), &self.settings).await;
        match reply.result {
            Ok(Location {
                root,
                shown,
                is_known: false,
                ..
            }) => format!(
                "{sentence} in {shown} of {root}, and no .git is in sight: if the repository begins \
                 further up, let this program see all of it, or name the root with --root"
            ),
            _ => sentence.to_owned(),
        }
    }

    pub(super) async fn warn_all(&self, warnings: &[Warning]) {
        for warning in warnings {
            self.console.warn(warning).await;
        }
    }

    /// Shows a text, and asks for a yes; any other answer is a no.
    pub(super) async fn confirms(&self, text: &str, question: &str) -> bool {
        self.console.confirms(text, question).await
    }

    /// Shows a text, and asks for a line; `None` where the input ends.
    pub(super) async fn ask(&self, text: &str, question: &str) -> Option<String> {
        self.console.ask(text, question).await
    }

    /// The commands that the project adds to the seven; none where no project is in sight.
    pub(super) async fn added_commands(&self) -> Vec<String> {
        let loaded = load_integrations(self.io(), &self.settings).await;
        match loaded.result {
            Ok(settings) => integrations::commands(&settings),
            Err(error) => {
                if error.code() != Code::Io {
                    self.warn_all(&[Warning::passed_over(&error)]).await;
                }
                Vec::new()
            }
        }
    }

    /// The text of a file that the user names.
    pub(super) async fn text(&self, file: &str) -> Result<String, Error> {
        input::text(self.io(), &self.settings.working, file).await
    }

    /// The text of an option, which may name standard input.
    pub(super) async fn option(&self, value: String) -> Result<String, Error> {
        input::option(self.io(), &self.settings.working, value).await
    }

    /// Reads a document that the user names.
    pub(super) async fn document(&self, file: &str) -> Result<Json, Error> {
        let bytes = input::bytes(self.io(), &self.settings.working, file).await?;
        let title = input::title(file);
        let reading = json::read(&bytes).map_err(|malformed| {
            Error::invalid_document(vec![Problem {
                at: Pointer::root(),
                code: ProblemCode::Type,
                message: format!("{title} is not JSON: {malformed}"),
            }])
        })?;
        let mut warnings = Warnings::default();
        warnings.reading(
            title,
            reading.duplicate_key.as_deref(),
            reading.text_replaced,
        );
        self.settle(warnings.reply(Ok(reading.value))).await
    }
}
