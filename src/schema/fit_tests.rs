use super::*;
use crate::json;
use crate::schema::{Field, optional, required};

static INNER: Shape = Shape {
    name: "Inner",
    doc: "",
    fields: &[
        required("name", Kind::String, ""),
        optional("at", Kind::Time, ""),
        optional("any", Kind::Any, ""),
    ],
};

static OUTER: Shape = Shape {
    name: "Outer",
    doc: "",
    fields: &[
        required("id", Kind::String, ""),
        required("count", Kind::Integer, ""),
        required("items", Kind::List(&Kind::Object(&INNER)), ""),
        required("names", Kind::List(&Kind::String), ""),
        optional("record", Kind::Record, ""),
        optional("span", Kind::Number, ""),
        optional("one", Kind::Constant(1), ""),
        optional("flag", Kind::Nullable(&Kind::Boolean), ""),
    ],
};

const FINE: &str = r#"{"id":"a","count":2,"items":[{"name":"b","at":"2026-01-29T10:30:00Z","any":[{}]}],"names":["c","d"],"record":{"x":[1,{"y":null}]},"span":-1.5,"one":1,"flag":null,"more":{"z":"\n"}}"#;

/// Returns the values handed over of a text that fits, as one line.
fn taken(text: &str) -> Option<String> {
    let mut line = String::new();
    OUTER.fit(text, &mut |field, value| {
        line += &format!("{field}={} ", value.to_line());
    })?;
    Some(line)
}

#[test]
fn every_value_of_a_field_is_handed_over() {
    let expected = "id=\"a\" count=2 name=\"b\" at=\"2026-01-29T10:30:00Z\" names=\"c\" names=\"d\" \
                    span=-1.5 one=1 ";
    assert_eq!(taken(FINE).as_deref(), Some(expected));
    let least = r#"{"names":[],"items":[],"count":0,"id":"\u0061\n"}"#;
    assert_eq!(taken(least).as_deref(), Some("count=0 id=\"a\\n\" "));
}

#[test]
fn a_text_that_fits_is_the_one_that_is_checked() {
    for (from, to) in [
        // Only reading the whole decides which of two counts.
        (r#""span":"#, r#""id":"b","span":"#),
        (r#""span":"#, r#""i\u0064":"b","span":"#),
        (r#""more":"#, r#""more":1,"more":"#),
        (r#""more":"#, r#""m\u006fre":1,"more":"#),
        (r#""any":[{}]"#, r#""any":1,"any":2"#),
        // Another text is to be written.
        (r#":2,"#, r#": 2,"#),
        ("{}", "{ }"),
        (r#""a""#, r#""\ud800""#),
        (r#"null"#, r#""\ud800""#),
        (r#""more""#, "1"),
    ] {
        let text = FINE.replacen(from, to, 1);
        assert_ne!(text, FINE);
        assert_eq!(taken(&text), None, "{text}");
    }
}

#[test]
fn unknown_members_repeat_only_under_the_same_name() {
    let members: String = (0..200).map(|at| format!(r#","own {at}":{at}"#)).collect();
    let text = FINE.replace("}}", &format!("}}{members}}}"));
    let text = text.replace(r#""more":{"z":"\n"}"#, r#""more":0"#);
    assert!(json::read(text.as_bytes()).is_ok(), "{text}");
    assert!(taken(&text).is_some());
    assert_eq!(taken(&text.replace("own 199", "own 0")), None);
}

/// Another value for a member, of any kind and sometimes of the right one.
fn value(random: &mut fastrand::Rng) -> &'static str {
    const VALUES: [&str; 14] = [
        "null",
        "true",
        "0",
        "1",
        "-1",
        "1.5",
        "1e400",
        r#""""#,
        r#""x""#,
        r#""2026-01-29T10:30:00Z""#,
        "[]",
        "{}",
        r#"["x"]"#,
        r#"[{"name":"x"}]"#,
    ];
    VALUES[random.usize(..VALUES.len())]
}

fn member(random: &mut fastrand::Rng, field: &Field) -> Option<String> {
    let known = json::read(FINE.as_bytes()).unwrap().value;
    let own = known
        .as_object()
        .unwrap()
        .get(field.name)
        .unwrap()
        .to_line();
    let value = match random.u8(..12) {
        0 => return None,
        1 => value(random).to_owned(),
        _ => own,
    };
    Some(format!("\"{}\":{value}", field.name))
}

#[test]
fn a_text_fits_exactly_if_it_has_no_problem() {
    let _run = milepost_property::seed("a text fits exactly if it has no problem", 5);
    let mut random = fastrand::Rng::with_seed(5);
    let (mut fit, mut not) = (0, 0);
    for _ in 0..5_000 {
        let mut members: Vec<String> = OUTER
            .fields
            .iter()
            .filter_map(|field| member(&mut random, field))
            .collect();
        random.shuffle(&mut members);
        let text = format!("{{{}}}", members.join(","));
        let problems = OUTER.problems(&json::read(text.as_bytes()).unwrap().value);
        assert_eq!(taken(&text).is_some(), problems.is_empty(), "{text}");
        *(if problems.is_empty() {
            &mut fit
        } else {
            &mut not
        }) += 1;
    }
    assert!(fit > 500 && not > 500, "{fit} {not}");
}
