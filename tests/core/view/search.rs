//! Filters, counts, order and search against a way that is too simple to be wrong.

use fastrand::Rng;
use milepost::json::{Json, Object};

use super::overview::world;
use super::page::{Page, codes, frame, object, value};
use crate::memory::Memory;

const PHASES: [&str; 4] = ["plan", "Build", "é", "check"];
const WORDS: [&str; 8] = [
    "Cache",
    "cached",
    "ÄPFEL",
    "straße",
    "x y",
    "İstanbul",
    "seal",
    "ΟΔΟΣ",
];

fn pick<'a>(random: &mut Rng, from: &[&'a str]) -> &'a str {
    from[random.usize(..from.len())]
}

/// A document that no store has written, and what a page can be asked of it.
fn document(random: &mut Rng, feature: &str) -> Object {
    let mut phases = Object::new();
    for name in PHASES {
        if random.bool() {
            let status = pick(
                random,
                &["pending", "in_progress", "complete", "failed", "skipped"],
            );
            let phase = Object::new()
                .with("status", status)
                .with(
                    "files_created",
                    vec![format!("src/{}.rs", pick(random, &WORDS))],
                )
                .with("context_summary", pick(random, &WORDS));
            phases.set(name, phase);
        }
    }
    let mut document = Object::new()
        .with("command", "design")
        .with("feature", feature)
        .with("version", 1)
        .with("head_commit", pick(random, &["aa", "bb"]))
        .with(
            "updated_at",
            format!("2026-01-{:02}T00:00:00.000Z", random.u32(1..20)),
        )
        .with("phases", phases)
        .with(
            "note",
            Object::new().with("inner", vec![pick(random, &WORDS).to_owned()]),
        );
    if random.u32(..4) == 0 {
        document.set("completed_at", "2026-02-01T00:00:00.000Z");
    }
    document
}

/// A page with so many checkpoints.
fn page<'a>(world: &'a Memory, random: &mut Rng, count: usize) -> Page<'a> {
    let mut page = Page::with(world, Object::new().with("head", "a".repeat(40)));
    for at in 0..count {
        let command = pick(random, &["design", "ship", "review"]);
        let feature = format!("f{at:03}");
        let text = match random.u32(..10) {
            0 => "{ torn".to_owned(),
            _ => Json::Object(document(random, &feature).with("command", command)).to_line(),
        };
        let path = format!(".claude/state/{command}-{feature}.json");
        let header = Object::new()
            .with("file", path)
            .with("bytes", text.len() as u64);
        page.take(&frame(header, text.as_bytes()));
    }
    page
}

struct Choice {
    kind: &'static str,
    values: Vec<String>,
}

/// The values of a kind that a row has.
fn values(row: &Object, kind: &str) -> Vec<String> {
    let text = |key: &str| row.get(key).and_then(Json::as_str).map(str::to_owned);
    match kind {
        "badge" => codes(row),
        "phase" => text("current_phase").into_iter().collect(),
        kind => text(kind).into_iter().collect(),
    }
}

fn is_left(row: &Object, choices: &[Choice], but: Option<&str>) -> bool {
    choices.iter().all(|choice| {
        Some(choice.kind) == but
            || choice.values.is_empty()
            || values(row, choice.kind)
                .iter()
                .any(|it| choice.values.contains(it))
    })
}

#[test]
fn a_count_beside_a_choice_is_that_of_the_rows_it_would_leave() {
    let _run = milepost_property::seed(
        "a count beside a choice is that of the rows it would leave",
        7,
    );
    let random = &mut Rng::with_seed(7);
    let world = world();
    let mut page = page(&world, random, 120);
    let all = page.rows();
    assert_eq!(all.len(), 120);
    for _ in 0..1_000 {
        let choices = ["command", "status", "phase", "badge"].map(|kind| {
            let mut known: Vec<String> = all.iter().flat_map(|row| values(row, kind)).collect();
            known.sort();
            known.dedup();
            known.retain(|_| random.u32(..3) == 0);
            let values = match random.bool() {
                true => known,
                false => Vec::new(),
            };
            Choice { kind, values }
        });
        let after = random
            .bool()
            .then(|| format!("2026-01-{:02}T00:00:00Z", random.u32(1..20)));
        let before = random
            .bool()
            .then(|| format!("2026-01-{:02}T00:00:00Z", random.u32(1..25)));
        let mut filter = Object::new()
            .with("after", after.clone())
            .with("before", before.clone());
        for choice in &choices {
            filter.set(choice.kind, choice.values.clone());
        }
        let is_of_time = |row: &&Object| {
            let at = row.get("updated_at").unwrap().as_str();
            let is_after = after
                .as_ref()
                .is_none_or(|it| at.is_some_and(|at| at[..10] >= it[..10]));
            let is_before = before
                .as_ref()
                .is_none_or(|it| at.is_some_and(|at| at[..10] < it[..10]));
            is_after && is_before
        };
        let of_time: Vec<&Object> = all.iter().filter(is_of_time).collect();
        let question = Object::new()
            .with("query", "overview")
            .with("sort", "name")
            .with("filter", filter)
            .with("count", 1_000);
        let answer = page.value(&Json::Object(question).to_line());
        let expected = of_time.iter().filter(|row| is_left(row, &choices, None));
        let expected: Vec<Json> = expected.map(|row| Json::Object((*row).clone())).collect();
        assert_eq!(
            answer.get("matching").unwrap().as_u64(),
            Some(expected.len() as u64)
        );
        assert_eq!(answer.get("rows").unwrap().as_array().unwrap(), expected);
        let facets = answer.get("facets").unwrap().as_object().unwrap();
        for choice in &choices {
            let counts = facets.get(choice.kind).unwrap().as_array().unwrap();
            let mut counted: Vec<(String, u64)> = counts
                .iter()
                .map(|count| {
                    let count = count.as_object().unwrap();
                    let text = count.get("value").unwrap().as_str().unwrap();
                    (
                        text.to_owned(),
                        count.get("count").unwrap().as_u64().unwrap(),
                    )
                })
                .collect();
            counted.sort();
            let left = of_time
                .iter()
                .filter(|row| is_left(row, &choices, Some(choice.kind)));
            let mut met: Vec<String> = left.flat_map(|row| values(row, choice.kind)).collect();
            met.sort();
            let expected: Vec<(String, u64)> = met
                .chunk_by(|a, b| a == b)
                .map(|same| (same[0].clone(), same.len() as u64))
                .collect();
            assert_eq!(counted, expected, "{}", choice.kind);
        }
    }
}

fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Every text of a value.
fn texts(value: &Json, found: &mut Vec<String>) {
    match value {
        Json::String(text) => found.push(lower(text)),
        Json::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Json::Object(object) => object.iter().for_each(|(_, value)| texts(value, found)),
        _ => {}
    }
}

#[test]
fn a_search_that_grows_or_shrinks_finds_the_rows_of_a_new_one() {
    let _run = milepost_property::seed(
        "a search that grows or shrinks finds the rows of a new one",
        3,
    );
    let random = &mut Rng::with_seed(3);
    let world = world();
    let mut page = Page::open(&world);
    let mut said: Vec<(String, Vec<String>)> = Vec::new();
    for at in 0..80 {
        let feature = format!("f{at:03}");
        let document = document(random, &feature);
        let mut found = vec![format!("design (feature {feature})")];
        texts(&Json::Object(document.clone()), &mut found);
        let phases = document.get("phases").unwrap().as_object().unwrap();
        found.extend(phases.iter().map(|(name, _)| lower(name)));
        said.push((format!("c/design-{feature}"), found));
        let text = Json::Object(document).to_line();
        let path = format!(".claude/state/design-{feature}.json");
        let header = Object::new()
            .with("file", path)
            .with("bytes", text.len() as u64);
        page.take(&frame(header, text.as_bytes()));
    }
    let mut query = String::new();
    for _ in 0..600 {
        match random.u32(..6) {
            0 => query.clear(),
            1 => drop(query.pop()),
            2 => query = pick(random, &WORDS).to_owned(),
            _ => {
                let word = pick(
                    random,
                    &[
                        "Cached",
                        "äpfel",
                        "f01",
                        "src/",
                        "i\u{307}stan",
                        "οδοσ",
                        "s",
                        " ",
                    ],
                );
                query.extend(word.chars().nth(random.usize(..6)));
            }
        }
        let question = Object::new()
            .with("query", "overview")
            .with("sort", "name")
            .with("filter", Object::new().with("text", query.as_str()))
            .with("count", 1_000);
        let answer = page.value(&Json::Object(question).to_line());
        let rows = answer.get("rows").unwrap().as_array().unwrap().iter();
        let found: Vec<&str> = rows
            .map(|row| {
                row.as_object()
                    .unwrap()
                    .get("key")
                    .unwrap()
                    .as_str()
                    .unwrap()
            })
            .collect();
        let term = lower(query.trim());
        let has = |texts: &[String]| texts.iter().any(|text| text.contains(&term));
        let expected = said.iter().filter(|(_, texts)| has(texts));
        let expected: Vec<&str> = expected.map(|(key, _)| key.as_str()).collect();
        assert_eq!(found, expected, "{query:?}");
    }
}

#[test]
fn rows_by_need_of_attention_begin_with_what_is_broken_or_failed() {
    let _run = milepost_property::seed(
        "rows by need of attention begin with what is broken or failed",
        11,
    );
    let random = &mut Rng::with_seed(11);
    let world = world();
    let mut page = page(&world, random, 200);
    let answer = page.value(r#"{"query":"overview","count":1000}"#);
    let rows = answer.get("rows").unwrap().as_array().unwrap().iter();
    let rows: Vec<&Object> = rows.map(|row| row.as_object().unwrap()).collect();
    let group = |row: &Object| {
        let is_stale = codes(row).contains(&"stale".to_owned());
        match row.get("status").unwrap().as_str().unwrap() {
            "corrupt" => 0,
            "failed" => 1,
            "in_progress" if is_stale => 2,
            "in_progress" => 3,
            "pending" => 4,
            "idle" => 5,
            _ => 6,
        }
    };
    let at = |row: &Object| {
        row.get("updated_at")
            .unwrap()
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    for pair in rows.windows(2) {
        let groups = (group(pair[0]), group(pair[1]));
        assert!(groups.0 <= groups.1, "{pair:?}");
        if groups.0 == groups.1 && groups.0 > 0 {
            match groups.0 {
                2 | 3 => assert!(at(pair[0]) <= at(pair[1])),
                _ => assert!(at(pair[0]) >= at(pair[1])),
            }
        }
    }
    let mut groups: Vec<i32> = rows.iter().map(|row| group(row)).collect();
    groups.dedup();
    assert_eq!(groups, [0, 1, 2, 4, 5, 6]);
    for (position, row) in rows.iter().enumerate() {
        let key = row.get("key").unwrap().to_line();
        let answer = page.ask_once(&format!(r#"{{"query":"position","key":{key}}}"#));
        assert_eq!(
            value(&answer).get("at").unwrap().as_u64(),
            Some(position as u64)
        );
    }
    let answer = page.ask_once(r#"{"query":"position","key":"c/ship-none"}"#);
    assert_eq!(value(&answer), &object(br#"{"at":null}"#));
}
