//! The news of a change that made something: a run, a feature or phases that were not there, and what was probably
//! meant; and of one that opened a completed run again.

use std::fmt::Write;

use crate::checkpoint::command::additions::Additions;
use crate::error::Target;
use crate::json::{Json, Object};
use crate::operation::agent::similar::{NewNames, Similar, similar};
use crate::schema::Members;
use crate::text::{shell_word, visible};

use super::answer::CliAnswer;
use super::call::CliCall;

/// The news of a change.
pub(super) struct News<'a> {
    call: &'a CliCall,
    target: &'a Target,
    created: Additions,
    similar: Similar,
}

impl<'a> News<'a> {
    /// The news of a change that made this. `is_feature_named` says that the user named the feature.
    pub(super) async fn of(
        call: &'a CliCall,
        target: &'a Target,
        created: Additions,
        is_feature_named: bool,
    ) -> Self {
        let similar = match created.is_any() {
            false => Similar::default(),
            true => {
                let new = NewNames {
                    target,
                    is_feature_named,
                    run: created.run,
                    phases: created.phases.iter().map(String::as_str).collect(),
                };
                let reply = similar(call.io(), &call.settings, &new).await;
                // The change is made: a run that cannot be read is reported where runs are listed.
                reply.result.unwrap_or_default()
            }
        };
        News {
            call,
            target,
            created,
            similar,
        }
    }

    /// The words that say it, to stand behind a line; empty where nothing is new.
    pub(super) fn words(&self) -> String {
        let mut parts = Vec::new();
        if self.created.reopened {
            parts.push("completed run reopened".to_owned());
        }
        if self.created.run {
            parts.push("new run".to_owned());
        }
        if self.similar.is_new_feature {
            parts.push("new feature".to_owned());
        }
        match self.created.phases.as_slice() {
            [] => {}
            [only] => parts.push(format!("new phase {}", visible(only))),
            many => parts.push(format!("{} new phases", many.len())),
        }
        match parts.is_empty() {
            true => String::new(),
            false => format!("; {}", parts.join(", ")),
        }
    }

    /// The answer of a change: its line, and a line for each name that was probably another one.
    pub(super) fn answer(&self, line: &str, members: impl Into<Json>) -> CliAnswer {
        let mut text = format!("{line}\n");
        if let Some(run) = &self.similar.run {
            let back = self.call.command("remove", Some(self.target), "");
            self.hint(&mut text, &run.title(), &back);
        }
        for (phase, similar) in &self.similar.phases {
            let words = format!("{} --remove", shell_word(phase));
            let back = self.call.command("phase", Some(self.target), &words);
            self.hint(&mut text, similar, &back);
        }
        let mut members = members.into();
        if self.created.is_any()
            && let Json::Object(object) = &mut members
        {
            for (key, value) in self.similar.clone().add_to(Object::new()) {
                object.set(&key, value);
            }
        }
        CliAnswer::confirmation(text, members)
    }

    fn hint(&self, text: &mut String, meant: &str, back: &str) {
        let (meant, back) = (visible(meant), visible(back));
        let _ = writeln!(
            text,
            "did you mean {meant}? `{back}` takes the new one back"
        );
    }
}
