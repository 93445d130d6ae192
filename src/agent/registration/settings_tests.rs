use fastrand::Rng;

use super::{
    RegisteredHooks, RemainingSettings, SettingsRefusal, StatusLine, find, install, remove,
};
use crate::agent::Agent;
use crate::agent::registration::{DatabaseRef, Launch, Program, SettingsScope};
use crate::json::{JsonSource, JsonStep};

fn installed(agent: Agent, text: Option<&str>) -> String {
    install(agent, text, &Launch::of_dependency(), StatusLine::Register).unwrap()
}

fn launches() -> Vec<Launch> {
    let programs = [
        Program::Dependency { above: 0 },
        Program::Dependency { above: 1 },
        Program::Installed("/opt/milepost".to_owned()),
        Program::Compiled("/home/me/milepost.cwasm".to_owned()),
    ];
    let launches = programs.into_iter().map(|it| Launch::new(it).unwrap());
    let database = DatabaseRef {
        variable: Some("DATABASE_URL".to_owned()),
        project: "my shop".to_owned(),
    };
    let stored = Launch::of_dependency().keeping_in(Some(database)).unwrap();
    let launches = launches.chain([stored]);
    let scopes = |launch: Launch| SettingsScope::ALL.map(|scope| launch.clone().within(scope));
    launches.flat_map(scopes).collect()
}

#[test]
fn a_second_install_changes_nothing() {
    for agent in Agent::ALL {
        for launch in launches() {
            let line = StatusLine::Register;
            let once = install(agent, None, &launch, line).unwrap();
            assert_eq!(install(agent, Some(&once), &launch, line).unwrap(), once);
        }
    }
}

#[test]
fn an_install_with_another_program_replaces_all_entries() {
    for agent in Agent::ALL {
        for first in launches() {
            for second in launches() {
                let line = StatusLine::Register;
                let before = install(agent, None, &first, line).unwrap();
                let after = install(agent, Some(&before), &second, line).unwrap();
                assert_eq!(
                    after,
                    install(agent, None, &second, line).unwrap(),
                    "{agent:?}"
                );
            }
        }
    }
}

#[test]
fn a_file_that_install_made_is_removed_whole() {
    for agent in Agent::ALL {
        let text = installed(agent, None);
        assert_eq!(
            remove(agent, &text, None),
            Ok(RemainingSettings::Nothing),
            "{agent:?}"
        );
    }
}

#[test]
fn every_event_of_an_agent_has_an_entry() {
    for agent in Agent::ALL {
        let found = find(agent, &installed(agent, None)).unwrap();
        assert_eq!(
            (found.missing, found.commands.is_empty()),
            (Vec::new(), false),
            "{agent:?}"
        );
        assert_eq!(found.status_line, agent == Agent::ClaudeCode);
    }
    let nothing = find(Agent::Codex, "{}").unwrap();
    assert_eq!((nothing.events, nothing.missing.len()), (0, 8));
}

#[test]
fn a_file_that_the_agent_could_not_use_is_refused() {
    let kind = |at: &str, expected, found| SettingsRefusal::Kind {
        at: at.to_owned(),
        expected,
        found,
    };
    for (text, refusal) in [
        ("[]", kind("", "object", "array")),
        ("{\"hooks\": []}", kind("hooks", "object", "array")),
        ("{\"hooks\": null}", kind("hooks", "object", "null")),
        (
            "{\"hooks\": {\"Stop\": {}}}",
            kind("hooks.Stop", "array", "object"),
        ),
    ] {
        let launch = Launch::of_dependency();
        let said = install(Agent::ClaudeCode, Some(text), &launch, StatusLine::Register);
        assert_eq!(said, Err(refusal.clone()));
        assert_eq!(remove(Agent::ClaudeCode, text, None), Err(refusal));
    }
    assert!(matches!(
        install(
            Agent::Gemini,
            Some("{"),
            &Launch::of_dependency(),
            StatusLine::Leave
        ),
        Err(SettingsRefusal::Malformed(_))
    ));
    let other = "export const Other = () => ({});\n";
    let launch = Launch::of_dependency();
    let said = install(Agent::OpenCode, Some(other), &launch, StatusLine::Leave);
    assert_eq!(said, Err(SettingsRefusal::Foreign));
    assert_eq!(
        remove(Agent::OpenCode, other, None),
        Ok(RemainingSettings::Text(other.to_owned()))
    );
}

#[test]
fn an_entry_within_a_foreign_group_is_taken_out_of_it() {
    let ours = JsonSource::read(&installed(Agent::ClaudeCode, None)).unwrap();
    let stop = [
        JsonStep::Key("hooks"),
        JsonStep::Key("Stop"),
        JsonStep::Item(0),
    ];
    let handler = ours.at(&[&stop[..], &[JsonStep::Key("hooks"), JsonStep::Item(0)]].concat());
    let handler = handler.unwrap().json().to_line();
    let other = "{\"type\": \"command\", \"command\": \"say done\"}";
    let text = format!(
        "{{\"hooks\": {{\"Stop\": [{{\"matcher\": \"\", \"hooks\": [{other}, {handler}]}}]}}}}"
    );
    let after = installed(Agent::ClaudeCode, Some(&text));
    assert!(after.contains(&format!("[{other}, {handler}]")), "{after}");
    let Ok(RemainingSettings::Text(left)) = remove(Agent::ClaudeCode, &after, None) else {
        panic!("something is left")
    };
    assert!(left.contains(&format!("\"hooks\": [{other}]")), "{left}");
    assert!(!left.contains("milepost"), "{left}");
}

#[test]
fn duplicate_entries_and_entries_for_former_events_are_removed() {
    let once = installed(Agent::Cursor, None);
    let mut source = JsonSource::read(&once).unwrap();
    let item = source.at(&[
        JsonStep::Key("hooks"),
        JsonStep::Key("stop"),
        JsonStep::Item(0),
    ]);
    let item = item.unwrap().json();
    source.add_item(&[JsonStep::Key("hooks"), JsonStep::Key("stop")], &item);
    source.add_member(
        &[JsonStep::Key("hooks")],
        "afterAgentThought",
        &vec![item].into(),
    );
    assert_eq!(installed(Agent::Cursor, Some(source.text())), once);
}

#[test]
fn a_status_line_that_was_there_runs_as_well_and_comes_back() {
    for command in [
        "bash ~/.claude/line.sh",
        "jq -r '.model.display_name' | sed \\\"s/a/b/\\\"",
        "'\\\\''",
        "printf \\\"%s\\\\n\\\" \\u00e9 'it''s'",
        "",
    ] {
        let line =
            format!("{{ \"padding\": 0, \"type\": \"command\", \"command\": \"{command}\" }}");
        let text = format!("{{\n  \"statusLine\": {line},\n  \"model\": \"x\"\n}}\n");
        let after = installed(Agent::ClaudeCode, Some(&text));
        assert_eq!(
            installed(Agent::ClaudeCode, Some(&after)),
            after,
            "{command}"
        );
        let found = find(Agent::ClaudeCode, &after).unwrap();
        let said = JsonSource::read(&text).unwrap();
        let said = said.at(&[JsonStep::Key("statusLine"), JsonStep::Key("command")]);
        assert_eq!(found.wrapped.as_deref(), said.unwrap().as_str());
        assert_eq!(
            remove(Agent::ClaudeCode, &after, None),
            Ok(RemainingSettings::Text(text))
        );
    }
}

#[test]
fn a_status_line_that_cannot_be_run_as_well_is_unchanged() {
    let text =
        "{\n  \"statusLine\": {\n    \"type\": \"command\",\n    \"command\": \"mine\"\n  }\n}";
    let compiled = Launch::new(Program::Compiled("/milepost.cwasm".to_owned())).unwrap();
    for (text, launch) in [
        (text, &compiled),
        ("{\"statusLine\": null}", &Launch::of_dependency()),
        (
            "{\"statusLine\": {\"type\": \"command\"}}",
            &Launch::of_dependency(),
        ),
    ] {
        let after = install(Agent::ClaudeCode, Some(text), launch, StatusLine::Register).unwrap();
        let line = |text: &str| {
            JsonSource::read(text)
                .unwrap()
                .at(&[JsonStep::Key("statusLine")])
                .unwrap()
                .json()
        };
        assert_eq!(line(&after), line(text));
        assert!(!find(Agent::ClaudeCode, &after).unwrap().status_line);
    }
}

/// Settings as people have them: laid out somehow, with hooks and a status line of their own or without.
fn any_settings(rng: &mut Rng, agent: Agent) -> String {
    let newline = *rng.choice(&["\n", "\r\n", "", " "]).unwrap();
    let is_line = !newline.contains('\n');
    let unit = *rng.choice(&["  ", "\t", "    ", ""]).unwrap();
    let colon = *rng.choice(&[": ", ":"]).unwrap();
    let comment = |rng: &mut Rng| match rng.u8(..6) {
        0 if !is_line => " // \"hooks\": {",
        1 => " /* x, y */",
        _ => "",
    };
    let mut members = vec![
        "\"model\"@\"x\"",
        "\"n\"@1e400",
        "\"permissions\"@{\"allow\"@[\"Bash(ls)\"]}",
    ];
    members.truncate(rng.usize(..4));
    let event = if agent == Agent::Gemini {
        "AfterTool"
    } else {
        "Stop"
    };
    let own = format!(
        "\"hooks\"@{{\"{event}\"@[{{\"hooks\"@[{{\"type\"@\"command\",\"command\"@\"ls\"}}]}}]}}"
    );
    let flat = "\"hooks\"@{\"stop\"@[{\"command\"@\"ls\"}]}".to_owned();
    let hooks = match agent {
        Agent::Cursor | Agent::Copilot => flat,
        _ => own,
    };
    match rng.u8(..5) {
        0 => members.push(&hooks),
        1 => members.push("\"hooks\"@{}"),
        2 => members.push("\"hooks\"@{\"Stop\"@[]}"),
        _ => {}
    }
    if rng.bool() {
        members.push("\"statusLine\"@{\"type\"@\"command\",\"command\"@\"a 'b'\"}");
    }
    rng.shuffle(&mut members);
    let mut text = if rng.u8(..6) == 0 { "\u{FEFF}{" } else { "{" }.to_owned();
    let count = members.len();
    for (index, member) in members.iter().enumerate() {
        text += newline;
        if !is_line {
            text += unit;
        }
        text += &member.replace('@', colon);
        if index + 1 < count || rng.u8(..5) == 0 {
            text += ",";
        }
        text += comment(rng);
    }
    text += newline;
    text + "}" + *rng.choice(&["", "\n", "\r\n"]).unwrap()
}

#[test]
fn settings_are_unchanged_after_hooks_came_and_went() {
    let _run = milepost_property::seed("settings are unchanged after hooks came and went", 13);
    let mut rng = Rng::with_seed(13);
    let agents = [
        Agent::ClaudeCode,
        Agent::Codex,
        Agent::Gemini,
        Agent::Cursor,
        Agent::Copilot,
    ];
    let mut exact = 0;
    let count = milepost_property::rounds(1_000, 3_000);
    for _ in 0..count {
        let agent = *rng.choice(&agents).unwrap();
        let text = any_settings(&mut rng, agent);
        let launch = rng.choice(launches()).unwrap();
        let after = install(agent, Some(&text), &launch, StatusLine::Register).unwrap();
        let again = install(agent, Some(&after), &launch, StatusLine::Register).unwrap();
        assert_eq!(again, after, "of {text}");
        let found = find(agent, &after).unwrap();
        assert!(found.missing.is_empty(), "{text}\n{after}");
        // With what was there before.
        assert_eq!(
            remove(agent, &after, Some(&text)),
            Ok(RemainingSettings::Text(text.clone())),
            "of {after}"
        );
        // And without, but for a container that was empty, and the version.
        let Ok(RemainingSettings::Text(left)) = remove(agent, &after, None) else {
            continue;
        };
        assert_eq!(
            find(agent, &left).unwrap().events,
            RegisteredHooks::default().events
        );
        exact += usize::from(left == text);
        let blank = text.replace([' ', '\t', '\r', '\n'], "");
        let emptied = blank.contains("[]") || blank.contains("{}");
        let has_version = matches!(agent, Agent::Cursor | Agent::Copilot);
        if !emptied && !has_version {
            assert_eq!(left.trim_end(), text.trim_end(), "without what was before");
        }
    }
    assert!(exact > count / 3, "{exact} of {count}");
}

#[test]
fn a_foreign_change_survives_the_removal_of_the_hooks() {
    let before = "{\n  \"model\": \"x\"\n}\n";
    let after = installed(Agent::ClaudeCode, Some(before));
    let changed = after.replace("\"x\"", "\"y\"");
    let left = remove(Agent::ClaudeCode, &changed, Some(before));
    assert_eq!(
        left,
        Ok(RemainingSettings::Text(before.replace("\"x\"", "\"y\"")))
    );
}

#[test]
fn a_file_names_the_database_that_its_hooks_keep_runs_in() {
    let database = DatabaseRef {
        variable: Some("DATABASE_URL".to_owned()),
        project: "my shop".to_owned(),
    };
    let launch = Launch::of_dependency();
    let stored = launch.clone().keeping_in(Some(database.clone())).unwrap();
    for agent in Agent::ALL {
        let with = install(agent, None, &stored, StatusLine::Register).unwrap();
        assert!(with.contains("--store env:DATABASE_URL") || with.contains("\"env:DATABASE_URL\""));
        assert_eq!(find(agent, &with).unwrap().database, Some(database.clone()));
        // Installed again without one, they keep runs in files.
        let without = install(agent, Some(&with), &launch, StatusLine::Register).unwrap();
        assert_eq!(without, installed(agent, None), "{agent:?}");
        assert_eq!(find(agent, &without).unwrap().database, None);
        assert_eq!(remove(agent, &with, None), Ok(RemainingSettings::Nothing));
    }
}
