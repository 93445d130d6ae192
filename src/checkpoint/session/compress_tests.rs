use fastrand::Rng;

use super::super::sample;
use super::{Compressed, SummaryOmissions, compress};
use crate::json::{self, Object};
use crate::tokens;

fn object(text: &str) -> Object {
    let value = json::read(text.as_bytes()).unwrap().value;
    value.as_object().unwrap().clone()
}

fn of(text: &str, limit: u64) -> Compressed {
    compress(&object(text), None, limit)
}

fn words(word: &str, count: usize) -> String {
    let words: Vec<String> = (1..=count)
        .map(|number| format!("{word}{number}"))
        .collect();
    words.join(" ")
}

#[test]
fn every_part_of_the_context_is_there_where_there_is_room() {
    let document = object(
        r#"{"task": {"input": "Implement dark mode\nwith  detection"},
            "progress": {"remaining": ["Toggle component", "Tests"]},
            "decisions": [{"question": "Storage", "decision": "CSS", "reason": "No\nflash"},
                {"question": "Names", "decision": "short"}, {"decision": "only this"}],
            "gotchas": ["CSS modules, not Tailwind"],
            "files": {"created": ["a.ts", "b c.ts"], "modified": ["a.ts", "d\ne.ts"]}}"#,
    );
    let compressed = compress(&document, Some(" Both hooks work.\nQuirk: none. \n"), 500);
    assert_eq!(
        compressed.text,
        "Task: Implement dark mode with detection\n\
         Next: Toggle component\n\
         Decisions:\n- Storage: CSS (No flash)\n- Names: short\n- only this\n\
         Gotchas:\n- CSS modules, not Tailwind\n\
         Known:\nBoth hooks work.\nQuirk: none.\n\
         Files:\n- a.ts\n- b c.ts\n- d\\u{a}e.ts\n"
    );
    assert!(compressed.left_out.is_nothing());
}

#[test]
fn a_summary_has_the_last_decisions_and_the_beginning_of_a_long_task() {
    let decisions: Vec<String> = (1..=7)
        .map(|number| format!(r#"{{"question": "q{number}", "decision": "d{number}"}}"#))
        .collect();
    let text = format!(
        r#"{{"task": {{"input": "{}"}}, "decisions": [{}]}}"#,
        words("w", 60),
        decisions.join(",")
    );
    assert_eq!(
        of(&text, 500).text,
        format!(
            "Task: {}…\nDecisions:\n- q3: d3\n- q4: d4\n- q5: d5\n- q6: d6\n- q7: d7\n\
             Left out: 10 words of the task, 2 decisions\n",
            words("w", 50)
        )
    );
}

#[test]
fn a_summary_says_what_did_not_fit() {
    let text = format!(
        r#"{{"task": {{"input": "do it"}}, "decisions": [{{"question": "{}", "decision": "x"}},
            {{"question": "short", "decision": "y"}}], "gotchas": ["a", "{}", "b"],
            "files": {{"created": ["1", "2", "3", "4", "5", "6", "7"]}}}}"#,
        words("long", 60),
        words("long", 70)
    );
    let compressed = of(&text, 30);
    assert_eq!(
        compressed.text,
        "Task: do it\nDecisions:\n- short: y\nGotchas:\n- a\n- b\nFiles:\n- 1\n- 2\n\
         Left out: 1 decision, 1 gotcha, 5 files\n"
    );
    let expected = SummaryOmissions {
        decisions: 1,
        gotchas: 1,
        files: 5,
        ..SummaryOmissions::default()
    };
    assert_eq!(compressed.left_out, expected);
}

#[test]
fn decisions_come_before_the_known_summary() {
    let document = object(r#"{"decisions": [{"decision": "x"}], "files": {"modified": ["a"]}}"#);
    let known = words("k", 600);
    let compressed = compress(&document, Some(&known), 100);
    let text = compressed.text;
    assert!(
        text.starts_with("Decisions:\n- x\nKnown:\nk1 k2 "),
        "{text}"
    );
    assert_eq!(
        text.lines().last(),
        Some("Left out: 516 words of what was known, 1 file")
    );
    assert!(text.contains(" k84…\n"), "{text}");
    assert_eq!(compressed.left_out.known_words, 516);
}

#[test]
fn one_endless_word_stays_within_the_byte_limit() {
    let word = "ä".repeat(70_000);
    let document = Object::new()
        .with("task", Object::new().with("input", word.as_str()))
        .with("gotchas", vec![word.as_str(), "fits"]);
    let compressed = compress(&document, Some(&word), 500);
    assert_eq!(tokens::check_stored(&compressed.text), Ok(()));
    assert!(compressed.text.starts_with("Gotchas:\n- fits\nKnown:\nää"));
    assert!(
        compressed
            .text
            .ends_with("ä…\nLeft out: 1 word of the task, 1 gotcha\n")
    );
}

#[test]
fn a_summary_is_within_its_budget_and_the_same_each_time() {
    for seed in 0..500 {
        let _run = milepost_property::seed(
            "a summary is within its budget and the same each time",
            seed,
        );
        let mut random = Rng::with_seed(seed);
        let mut texts = |most: usize| -> Vec<String> {
            let count = random.usize(..most);
            (0..count).map(|_| sample::text(&mut random)).collect()
        };
        let decisions = texts(10)
            .into_iter()
            .map(|text| Object::new().with("decision", text));
        let document = Object::new()
            .with("decisions", decisions.collect::<Vec<_>>())
            .with("task", Object::new().with("input", texts(5).concat()))
            .with("progress", Object::new().with("remaining", texts(3)))
            .with("gotchas", texts(6))
            .with(
                "files",
                Object::new()
                    .with("created", texts(50))
                    .with("modified", texts(50)),
            );
        let known = texts(5).join("\n");
        for limit in [0, 1, 7, 40, 100, 500] {
            let compressed = compress(&document, Some(&known), limit);
            let Compressed { text, left_out } = &compressed;
            assert!(tokens::validate(text, limit).valid, "{limit}: {text}");
            assert!(text.len() <= tokens::MAX_SUMMARY_BYTES);
            if limit >= 40 {
                let last = format!("Left out: {left_out}");
                assert_eq!(
                    left_out.is_nothing(),
                    text.lines().last() != Some(&last),
                    "{text}"
                );
            }
            assert_eq!(compress(&document, Some(&known), limit), compressed);
        }
    }
}

#[test]
fn malformed_parts_are_not_in_a_summary() {
    let text = r#"{"task": 1, "progress": {"remaining": [1]}, "decisions": [1, {}, {"reason": "x"}],
        "gotchas": {"a": "b"}, "files": {"created": [1, "a"], "modified": "b"}}"#;
    assert_eq!(of(text, 500).text, "Files:\n- a\n");
    assert_eq!(of("{}", 500).text, "");
}
