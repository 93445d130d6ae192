//! A session of Claude Code, as its hooks are sent it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::agent::Agent;
use super::project::Project;
use super::screen::Screen;

/// The folder that the payloads name for the project.
const PROJECT: &str = "/project";

/// Its events, in their order.
pub(super) struct Session {
    events: Vec<Value>,
}

impl Session {
    /// Reads a file of payloads, a line each.
    pub(super) fn read(file: &Path, project: &Project) -> Result<Self> {
        let text = fs::read_to_string(file).with_context(|| format!("no {}", file.display()))?;
        let mut events = Vec::new();
        for line in text.lines() {
            let mut event = serde_json::from_str(line)?;
            relocate(&mut event, &project.root().to_string_lossy());
            events.push(event);
        }
        Ok(Self { events })
    }

    /// Does what each event says, as the agent did before it called its hooks, and has the agent run those. Returns the
    /// context that they gave it.
    pub(super) fn play(
        &self,
        project: &Project,
        agent: &mut Agent,
        screen: &mut Screen<'_>,
    ) -> Result<Option<String>> {
        let mut context = None;
        for payload in &self.events {
            let event = payload["hook_event_name"]
                .as_str()
                .context("an event has a name")?;
            if let (Some(file), Some(content)) = (
                payload["tool_input"]["file_path"].as_str(),
                payload["tool_input"]["content"].as_str(),
            ) {
                let folder = Path::new(file).parent().context("a file is in a folder")?;
                fs::create_dir_all(folder)?;
                fs::write(file, content)?;
            }
            if let Some(line) = self.line(payload, event) {
                screen.text(&project.shortened(&line))?;
            }
            for answer in project.hooks(
                agent,
                event,
                payload["tool_name"].as_str(),
                &payload.to_string(),
            )? {
                let answer = serde_json::from_str::<Value>(&answer).unwrap_or_default();
                let text = &answer["hookSpecificOutput"]["additionalContext"];
                context = text.as_str().map(str::to_owned).or(context);
            }
        }
        Ok(context)
    }

    /// The event in a line for people.
    fn line(&self, payload: &Value, event: &str) -> Option<String> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let input = &payload["tool_input"];
        Some(match (event, payload["tool_name"].as_str()) {
            ("SessionStart", _) => "session  begins".to_owned(),
            ("PreCompact", _) => "session  its context is compacted: a snapshot is made".to_owned(),
            ("UserPromptSubmit", _) => format!("user     {}", text(&payload["prompt"])),
            ("Stop", _) => format!("agent    {}", text(&payload["last_assistant_message"])),
            (_, Some("TaskCreate")) => format!("agent    plans \"{}\"", text(&input["subject"])),
            (_, Some("TaskUpdate")) => {
                let task = self.subject(&text(&input["taskId"]));
                let verb = match input["status"].as_str() {
                    Some("completed") => "completes",
                    _ => "begins",
                };
                format!("agent    {verb} \"{task}\"")
            }
            (_, Some("Write")) => format!("agent    writes {}", text(&input["file_path"])),
            _ => return None,
        })
    }

    fn subject(&self, id: &str) -> String {
        let created = self
            .events
            .iter()
            .map(|event| &event["tool_response"]["task"]);
        let task = created.into_iter().find(|task| task["id"] == id);
        let subject = task.and_then(|task| task["subject"].as_str());
        subject.unwrap_or_default().to_owned()
    }
}

/// Puts the repository in the place of the recorded folder.
fn relocate(value: &mut Value, root: &str) {
    match value {
        Value::String(text) => {
            if let Some(rest) = text.strip_prefix(PROJECT)
                && (rest.is_empty() || rest.starts_with('/'))
            {
                *text = format!("{root}{rest}");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| relocate(item, root)),
        Value::Object(members) => members
            .values_mut()
            .for_each(|member| relocate(member, root)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::relocate;
    use serde_json::json;

    #[test]
    fn paths_of_the_recorded_folder_lead_to_the_repository() {
        let mut event =
            json!({ "cwd": "/project", "in": [{ "file": "/project/a", "text": "/projects" }] });
        relocate(&mut event, "/tmp/r");
        let expected =
            json!({ "cwd": "/tmp/r", "in": [{ "file": "/tmp/r/a", "text": "/projects" }] });
        assert_eq!(event, expected);
    }
}
