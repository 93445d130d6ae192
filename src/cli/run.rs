//! From words to an exit code: one method for each command.

use clap::{CommandFactory, Parser};

use crate::checkpoint::command::{document, publish};
use crate::doctor::Fix;
use crate::effect::{Io, Stream};
use crate::error::{Error, Warning};
use crate::handoff::{self, Policy};
use crate::json::{self, Json, Object, Pointer};
use crate::operation::command::PhaseUpdate;
use crate::operation::command::overview::Latest;
use crate::operation::command::repair::{Seen, Undo};
use crate::operation::command::{overview, repair, revisions};
use crate::operation::{Noticed, Reply, Settings, Target, command, project};
use crate::schema::{Problem, ProblemCode};
use crate::tokens;

use super::Invocation;
use super::answer::{Answer, Exit, escape_json};
use super::arguments::{Arguments, Handoff, PhaseArguments, Verb, Which};
use super::console::Console;
use super::render::{Paint, Validated};
use super::{checkpoint, input, render};

/// Runs one call and returns its exit code.
///
/// Codes are those of `sysexits.h` and never 2: 0 done; 1 the answer is no; 64 usage; 65 data;
/// 74 input or output; 75 try again.
pub async fn run(io: Io, invocation: Invocation) -> u8 {
    let Invocation {
        arguments,
        mut settings,
        color,
    } = invocation;
    // Where the words cannot be parsed, the wish for JSON is still heard.
    let wants_json = arguments.iter().any(|word| word == "--json");
    let program = std::iter::once("milepost".to_owned());
    let arguments = match Arguments::try_parse_from(program.chain(arguments)) {
        Ok(arguments) => arguments,
        Err(error) => return refuse(io, &error, wants_json).await.code(),
    };
    if let Some(root) = &arguments.global.root {
        settings.root = Some(input::resolve(&settings.working, root));
    }
    let call = Call {
        console: Console::new(io, &arguments.global),
        settings,
        paint: Paint(color),
    };
    call.answer(arguments.verb).await.code()
}

/// Help and version are answers; anything else that stops the parser is wrong usage.
async fn refuse(io: Io, error: &clap::Error, json: bool) -> Exit {
    let text = error.render().to_string();
    if !error.use_stderr() {
        return match io.print(Stream::Output, text).await {
            Ok(()) => Exit::Done,
            Err(_) => Exit::Io,
        };
    }
    let quiet = false;
    let console = Console { io, json, quiet };
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    match json {
        true => console.fail(&Error::usage(text.to_owned())).await,
        // The parser gives its own advice.
        false => console.tell(text).await,
    }
    Exit::Usage
}

/// One call under way.
struct Call {
    console: Console,
    settings: Settings,
    paint: Paint,
}

impl Call {
    async fn answer(&self, verb: Verb) -> Exit {
        match self.perform(verb).await {
            Ok(answer) => {
                let exit = answer.exit;
                match self.console.answer(answer).await {
                    Ok(()) => exit,
                    Err(failed) => {
                        let reason = format!("Cannot print the answer ({})", failed.detail);
                        self.fail(&Error::io(reason)).await
                    }
                }
            }
            Err(error) => self.fail(&error).await,
        }
    }

    async fn fail(&self, error: &Error) -> Exit {
        self.console.fail(error).await;
        Exit::from(error.code())
    }

    async fn undo(
        &self,
        target: &Target,
        to: Option<u64>,
        seen: Option<u64>,
    ) -> Result<Answer, Error> {
        let seen = seen.map(Seen::Revision);
        let undo = Undo { to, seen };
        let reply = repair::undo(self.io(), &self.settings, target, &undo).await;
        let restored = self.settle(reply).await?;
        Ok(render::undone(target, restored))
    }

    async fn recover(&self, target: &Target, to: Option<u64>) -> Result<Answer, Error> {
        let reply = repair::recover(self.io(), &self.settings, target, to).await;
        let recovered = self.settle(reply).await?;
        Ok(render::recovered(target, recovered))
    }

    async fn trim(
        &self,
        target: &Target,
        keep: Option<u64>,
        days: Option<u64>,
    ) -> Result<Answer, Error> {
        let reply = repair::trim(self.io(), &self.settings, target, keep, days).await;
        let trimmed = self.settle(reply).await?;
        Ok(render::trimmed(target, trimmed))
    }

    /// Tells the warnings and hands on the result.
    async fn settle<T>(&self, reply: Reply<T>) -> Result<T, Error> {
        self.tell_all(&reply.warnings).await;
        reply.result
    }

    async fn tell_all(&self, warnings: &[Warning]) {
        for warning in warnings {
            self.console.warn(warning).await;
        }
    }

    fn io(&self) -> &Io {
        &self.console.io
    }

    async fn perform(&self, verb: Verb) -> Result<Answer, Error> {
        match verb {
            Verb::Init => self.init().await,
            Verb::Save { which, file } => self.save(&which.into(), &file).await,
            Verb::Phase(arguments) => self.phase(arguments).await,
            Verb::Resume { command: None, .. } => self.resume_latest().await,
            Verb::Resume {
                command: Some(command),
                feature,
            } => self.resume(Target { command, feature }).await,
            Verb::Show { which, revision } => self.show(&which.into(), revision).await,
            Verb::Status => self.status().await,
            Verb::Complete { which } => self.complete(&which.into()).await,
            Verb::Gate { which } => self.gate(&which.into()).await,
            Verb::Log { which } => self.log(&which.into()).await,
            Verb::Diff { which, from, to } => self.diff(&which.into(), from, to).await,
            Verb::Undo { which, to, seen } => self.undo(&which.into(), to, seen).await,
            Verb::Recover { which, to } => self.recover(&which.into(), to).await,
            Verb::Trim { which, keep, days } => self.trim(&which.into(), keep, days).await,
            Verb::Validate { files } => self.validate(files).await,
            Verb::Tokens { file, limit } => self.tokens(&file, limit).await,
            Verb::Handoff(Handoff::Check {
                file,
                response,
                policy,
            }) => self.check_handoff(&file, response.then_some(policy)).await,
            Verb::Schema { ts, markdown } => self.schema(ts, markdown),
            Verb::Doctor { fix } => self.doctor(fix).await,
            Verb::Completions { shell } => Ok(completions(shell)),
        }
    }

    async fn init(&self) -> Result<Answer, Error> {
        let reply = project::init(self.io(), &self.settings).await;
        let made = self.settle(reply).await?;
        Ok(render::init(&made))
    }

    async fn save(&self, target: &Target, file: &str) -> Result<Answer, Error> {
        let text = input::text(self.io(), &self.settings.working, file).await?;
        let reply = command::save(self.io(), &self.settings, target, &text).await;
        let saved = self.settle(reply).await?;
        Ok(render::saved(target, saved))
    }

    async fn phase(&self, arguments: PhaseArguments) -> Result<Answer, Error> {
        let target = Target::from(arguments.which);
        let mut patch = Object::new();
        patch.set("status", arguments.status);
        if let Some(summary) = arguments.summary {
            let summary = input::option(self.io(), &self.settings.working, summary).await?;
            patch.set("context_summary", summary);
        }
        if !arguments.created.is_empty() {
            patch.set("files_created", arguments.created);
        }
        if !arguments.modified.is_empty() {
            patch.set("files_modified", arguments.modified);
        }
        if let Some(error) = arguments.error {
            patch.set("error", error);
        }
        let update = PhaseUpdate {
            phase: &arguments.phase,
            patch: &patch,
            task: arguments.task.as_deref(),
        };
        let reply = command::update_phase(self.io(), &self.settings, &target, &update).await;
        let saved = self.settle(reply).await?;
        Ok(render::saved(&target, saved))
    }

    async fn resume(&self, target: Target) -> Result<Answer, Error> {
        let reply = command::resume_point(self.io(), &self.settings, &target).await;
        let point = self.settle(reply).await?;
        if point.phase.is_none() && point.summary.is_none() {
            return Err(Error::not_found(format!(
                "Nothing to resume: {} is complete, empty, or was never saved",
                render::title(&target)
            )));
        }
        Ok(render::resume(Latest { target, point }, self.paint))
    }

    async fn resume_latest(&self) -> Result<Answer, Error> {
        let reply = overview::latest(self.io(), &self.settings).await;
        match self.settle(reply).await? {
            Some(latest) => Ok(render::resume(latest, self.paint)),
            None => Err(Error::not_found(
                "Nothing to resume: there is no unfinished checkpoint".to_owned(),
            )),
        }
    }

    async fn show(&self, target: &Target, revision: Option<u64>) -> Result<Answer, Error> {
        if let Some(revision) = revision {
            let reply = revisions::load(self.io(), &self.settings, target, revision).await;
            let loaded = self.settle(reply).await?;
            return Ok(checkpoint::show(target, &loaded, self.paint));
        }
        let reply = command::load(self.io(), &self.settings, target).await;
        match self.settle(reply).await? {
            Some(loaded) => Ok(checkpoint::show(target, &loaded, self.paint)),
            None => Err(repair::lost(self.io(), &self.settings, target)
                .await
                .unwrap_or_else(|| {
                    Error::not_found(format!(
                        "There is no checkpoint of {}; `milepost status` lists them",
                        render::title(target)
                    ))
                })),
        }
    }

    async fn status(&self) -> Result<Answer, Error> {
        let reply = overview::list(self.io(), &self.settings).await;
        let listed = self.settle(reply).await?;
        Ok(render::status(listed, self.paint))
    }

    async fn complete(&self, target: &Target) -> Result<Answer, Error> {
        let reply = command::complete(self.io(), &self.settings, target).await;
        let saved = self.settle(reply).await?;
        Ok(render::saved(target, saved))
    }

    async fn gate(&self, target: &Target) -> Result<Answer, Error> {
        let reply = command::gate(self.io(), &self.settings, target).await;
        let verdict = self.settle(reply).await?;
        Ok(render::gate(verdict, self.paint))
    }

    async fn log(&self, target: &Target) -> Result<Answer, Error> {
        let reply = revisions::log(self.io(), &self.settings, target).await;
        let entries = self.settle(reply).await?;
        Ok(render::log(entries, self.paint))
    }

    async fn diff(
        &self,
        target: &Target,
        from: Option<u64>,
        to: Option<u64>,
    ) -> Result<Answer, Error> {
        let reply = revisions::diff(self.io(), &self.settings, target, from, to).await;
        let diff = self.settle(reply).await?;
        Ok(render::diff(diff))
    }

    /// Every file gets its verdict; one that cannot be read does not hide the others.
    async fn validate(&self, files: Vec<String>) -> Result<Answer, Error> {
        let mut validated = Vec::new();
        let mut worst = Exit::Done;
        for file in files {
            match self.document(&file).await {
                Ok(json) => validated.push(Validated {
                    problems: document::problems(&json),
                    file,
                }),
                Err(error) => worst = worst.max(self.fail(&error).await),
            }
        }
        let answer = render::validated(&validated, self.paint);
        let exit = worst.max(answer.exit);
        Ok(answer.with_exit(exit))
    }

    async fn tokens(&self, file: &str, limit: Option<u64>) -> Result<Answer, Error> {
        let text = input::text(self.io(), &self.settings.working, file).await?;
        Ok(render::tokens(tokens::count(&text), limit))
    }

    /// A document that is refused is a "no": its problems are told, and nothing is passed on.
    async fn check_handoff(&self, file: &str, policy: Option<Policy>) -> Result<Answer, Error> {
        let document = self.document(file).await?;
        let checked = match policy {
            None => handoff::check_request(document),
            Some(policy) => handoff::check_response(document, policy),
        };
        self.tell_all(&checked.warnings).await;
        if !checked.problems.is_empty() {
            self.fail(&Error::invalid_document(checked.problems)).await;
            return Ok(Answer::silence(Exit::No));
        }
        let text = escape_json(&checked.document.to_document());
        Ok(Answer::verbatim(text))
    }

    fn schema(&self, ts: bool, markdown: bool) -> Result<Answer, Error> {
        let form = match (self.console.json, ts, markdown) {
            (true, false, false) => publish::json_schema(),
            (false, true, false) => publish::typescript(),
            (false, false, true) => publish::markdown(),
            _ => {
                return Err(Error::usage(
                    "Expected exactly one of --json, --ts and --markdown".to_owned(),
                ));
            }
        };
        Ok(Answer::verbatim(form))
    }

    async fn doctor(&self, fix: bool) -> Result<Answer, Error> {
        let mending = if fix { Fix::Safe } else { Fix::None };
        let reply = project::doctor(self.io(), &self.settings, mending).await;
        let findings = self.settle(reply).await?;
        Ok(super::doctor::report(findings, self.paint))
    }

    /// Reads a document that the user names.
    async fn document(&self, file: &str) -> Result<Json, Error> {
        let bytes = input::bytes(self.io(), &self.settings.working, file).await?;
        let title = input::title(file);
        let reading = json::read(&bytes).map_err(|malformed| {
            Error::invalid_document(vec![Problem {
                at: Pointer::root(),
                code: ProblemCode::Type,
                message: format!("{title} is not JSON: {malformed}"),
            }])
        })?;
        let mut noticed = Noticed::default();
        noticed.reading(
            title,
            reading.duplicate_key.as_deref(),
            reading.text_replaced,
        );
        self.settle(noticed.reply(Ok(reading.value))).await
    }
}

impl From<Which> for Target {
    fn from(which: Which) -> Self {
        Target {
            command: which.command,
            feature: which.feature,
        }
    }
}

fn completions(shell: clap_complete::Shell) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "milepost", &mut script);
    Answer::verbatim(String::from_utf8_lossy(&script).into_owned())
}
