use super::super::sample::token;
use super::tests::{id, limits, save, task_with};
use super::*;
use crate::error::{Code, ErrorKind};
use crate::json;

#[test]
fn an_index_is_read_back_unchanged() {
    let text = task_with(&["a", "../b"]).into_object();
    assert_eq!(
        text.to_document(),
        format!(
            r#"{{
  "version": 1,
  "task": "t",
  "changes": 2,
  "checkpoints": [
    {{
      "id": "a",
      "key": "{}",
      "token": "{}",
      "bytes": 100,
      "saved_at": "2026-01-29T10:30:00.000Z"
    }},
    {{
      "id": "../b",
      "key": "{}",
      "token": "{}",
      "bytes": 101,
      "saved_at": "2026-01-29T10:30:00.000Z"
    }}
  ]
}}
"#,
            id("a").key(),
            token(0),
            id("../b").key(),
            token(1)
        )
    );
    let read = TaskIndex::read(text, &id("t").stem()).unwrap();
    assert_eq!(read, reread(&read));
    assert_eq!(read.entries(), task_with(&["a", "../b"]).entries());
    assert_eq!((read.task(), read.changes()), (&id("t"), 2));
}

fn reread(index: &TaskIndex) -> TaskIndex {
    let text = index.clone().into_object().to_document();
    let Json::Object(object) = json::read(text.as_bytes()).unwrap().value else {
        panic!("it is an object");
    };
    TaskIndex::read(object, &index.task().stem()).unwrap()
}

#[test]
fn unknown_members_survive_a_change() {
    let mut object = task_with(&["a", "b"]).into_object();
    object.set("later", Json::Number("1e400".into()));
    if let Some(Json::Array(items)) = object.get_mut("checkpoints") {
        items[0].as_object_mut().unwrap().set("note", "kept");
    }
    let index = TaskIndex::read(object, &id("t").stem()).unwrap();
    let next = index.saved(save(&id("a"), 9), &limits(10)).unwrap().next;
    let object = next.into_object();
    let keys: Vec<&str> = object.iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["version", "task", "changes", "checkpoints", "later"]);
    assert_eq!(object.get("later"), Some(&Json::Number("1e400".into())));
    let note = Json::from(object).at("/checkpoints/0/note").cloned();
    assert_eq!(note, Some(Json::from("kept")));
}

#[test]
fn members_that_the_store_wrote_into_one_index_are_not_in_the_next() {
    let plain = task_with(&["a"]);
    let stored = plain
        .clone()
        .into_object()
        .with("generation", token(7))
        .with("revision", 12)
        .with("seal", "x");
    assert_eq!(TaskIndex::read(stored, &id("t").stem()), Ok(plain));
    assert_eq!(
        wrong(|index| index.set("generation", 7)),
        ["/generation: expected a string, found number"]
    );
}

#[test]
fn a_part_that_an_index_names_is_not_left_behind() {
    let index = task_with(&["a", "b", "c"]);
    let [a, c] = ["a", "c"].map(|text| id(text).key());
    let expected = [(a.clone(), token(0)), (c.clone(), token(2))];
    let expected = expected.each_ref().map(|(key, token)| (&**key, &**token));
    let object = index.removed(&id("b")).unwrap().next.into_object();
    assert_eq!(parts(&object), expected);
    let mut broken = index.into_object().with("version", 2).with("task", 7);
    set(&mut broken, 0, "id", Json::Null);
    set(&mut broken, 1, "token", "../x");
    set(&mut broken, 2, "bytes", "many");
    assert_eq!(parts(&broken), expected);
    assert_eq!(parts(&Object::new().with("checkpoints", "none")), []);
}

#[test]
fn an_index_of_a_later_release_is_refused() {
    let object = task_with(&["a"]).into_object().with("version", 2);
    let error = TaskIndex::read(object, &id("t").stem()).unwrap_err();
    assert_eq!(error.code(), Code::UnsupportedVersion);
}

/// Returns the problems of an index of two checkpoints after this change.
fn wrong(change: impl FnOnce(&mut Object)) -> Vec<String> {
    let mut object = task_with(&["a", "b"]).into_object();
    change(&mut object);
    match TaskIndex::read(object, &id("t").stem()).map_err(Error::into_kind) {
        Ok(_) => Vec::new(),
        Err(ErrorKind::InvalidDocument(problems)) => {
            problems.iter().map(ToString::to_string).collect()
        }
        Err(other) => panic!("{other:?}"),
    }
}

fn set(object: &mut Object, at: usize, key: &str, value: impl Into<Json>) {
    let Some(Json::Array(items)) = object.get_mut("checkpoints") else {
        panic!("there are checkpoints");
    };
    items[at].as_object_mut().unwrap().set(key, value);
}

#[test]
fn an_edited_index_names_no_file_of_something_else() {
    assert_eq!(wrong(|_| ()), Vec::<String>::new());
    for token in ["../../../x", "", "a", "ABCDEFABCDEFABCDEFABCDEFABCDEFAB"] {
        assert_eq!(
            wrong(|index| set(index, 1, "token", token)),
            ["/checkpoints/1/token: expected 32 small hex digits"]
        );
    }
    let key = id("a").key();
    assert_eq!(
        wrong(|index| set(index, 0, "key", "../x")),
        [format!(
            "/checkpoints/0/key: expected {key}, which follows from the id"
        )]
    );
}

#[test]
fn an_index_with_two_checkpoints_of_one_name_is_refused() {
    let key = id("a").key();
    assert_eq!(
        wrong(|index| {
            set(index, 1, "id", "a");
            set(index, 1, "key", key.as_str());
        }),
        ["/checkpoints/1/id: the checkpoint at 0 has this id as well"]
    );
}

#[test]
fn an_index_of_another_task_is_refused() {
    assert_eq!(
        wrong(|index| index.set("task", "other")),
        [format!(
            "/task: its document is called {}, found {}",
            id("other").stem(),
            id("t").stem()
        )]
    );
    assert_eq!(
        wrong(|index| index.set("task", "")),
        ["/task: expected at least one character"]
    );
}

#[test]
fn an_index_that_breaks_its_schema_is_refused() {
    assert_eq!(
        wrong(|index| *index = Object::new()),
        [
            "/version: expected 1, but the field is missing",
            "/task: expected a string, but the field is missing",
            "/changes: expected a whole number from 0 to 9007199254740991, but the field is missing",
            "/checkpoints: expected a list, but the field is missing",
        ]
    );
    assert_eq!(
        wrong(|index| index.set("checkpoints", vec![Json::Null, Object::new().into()])).len(),
        6
    );
    for (key, value) in [
        ("bytes", Json::from("1")),
        ("saved_at", Json::from("today")),
        ("id", Json::from("a\0")),
    ] {
        assert_eq!(wrong(|index| set(index, 1, key, value)).len(), 1, "{key}");
    }
}
