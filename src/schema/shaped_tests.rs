use super::{ArgumentMembers, Kind, Members, Presence, Shape, Shaped, interfaces, type_text};
use crate::json::{self, Json, Object};
use crate::schema::MemberNaming;

/// A run that is named.
#[derive(ArgumentMembers)]
struct Named<'a> {
    /// Its command.
    command: &'a str,
    /// Its feature.
    feature: Option<&'a str>,
}

/// The changes to make.
#[derive(ArgumentMembers)]
#[shape(name = "Changes")]
struct SampleArguments<'a> {
    #[shape(flatten)]
    run: Named<'a>,
    /// True to force
    /// it.
    ///
    /// This is not published.
    force: bool,
    /// The number of times.
    times: u64,
    /// The phases.
    #[shape(optional)]
    phases: Vec<&'a str>,
    /// The durability.
    #[shape(kind = Kind::Enum(&["durable", "lazy"]))]
    durability: Option<&'a str>,
    /// Other runs.
    others: Vec<Named<'a>>,
    /// Anything.
    document: Option<&'a Json>,
}

/// A side.
#[derive(Clone, Copy, Shaped)]
enum SampleSide {
    Before,
    #[shape(name = "then")]
    AfterAll,
}

/// The point.
#[derive(Shaped)]
struct SamplePoint {
    /// The phase.
    phase: Option<String>,
}

/// The answer.
#[derive(Shaped)]
#[shape(name = "Sample")]
struct SampleAnswer {
    /// Its revision.
    revision: u64,
    #[shape(flatten)]
    point: SamplePoint,
    /// The sides.
    sides: Vec<SampleSide>,
    /// Its branch, if there is one.
    #[shape(left_out)]
    branch: Option<String>,
    /// True if it is gone.
    #[shape(left_out, name = "deleted")]
    is_deleted: bool,
    /// The points before.
    #[shape(into = SamplePoint)]
    before: Vec<String>,
    #[shape(skip)]
    _text: String,
    /// The size.
    #[shape(kind = Kind::Nullable(&Kind::Integer), with = doubled)]
    size: u64,
}

impl From<String> for SamplePoint {
    fn from(phase: String) -> Self {
        SamplePoint { phase: Some(phase) }
    }
}

fn doubled(size: u64) -> u64 {
    2 * size
}

fn object(text: &str) -> Object {
    let value = json::read(text.as_bytes()).unwrap().value;
    value.as_object().unwrap().clone()
}

fn printed(shape: &'static Shape) -> String {
    interfaces(&[shape], MemberNaming::AsIs)
}

fn answer() -> SampleAnswer {
    SampleAnswer {
        revision: 7,
        point: SamplePoint { phase: None },
        sides: vec![SampleSide::AfterAll, SampleSide::Before],
        branch: None,
        is_deleted: false,
        before: vec!["plan".to_owned()],
        _text: "hidden".to_owned(),
        size: 4,
    }
}

#[test]
fn arguments_have_the_fields_of_their_members_in_order() {
    assert_eq!(
        printed(&<SampleArguments<'_> as ArgumentMembers<'_>>::SHAPE),
        "\
/** The changes to make. */
export interface Changes {
  /** Its command. */
  command: string;
  /** Its feature. */
  feature?: string | null;
  /** True to force it. */
  force?: boolean | null;
  /** The number of times. */
  times: number;
  /** The phases. */
  phases?: string[] | null;
  /** The durability. */
  durability?: \"durable\" | \"lazy\" | null;
  /** Other runs. */
  others: Named[];
  /** Anything. */
  document?: unknown | null;
}

/** A run that is named. */
export interface Named {
  /** Its command. */
  command: string;
  /** Its feature. */
  feature?: string | null;
}
"
    );
}

#[test]
fn arguments_are_read_by_their_names() {
    let object = object(
        r#"{"command": "design", "times": 3, "force": true, "phases": ["a", "b"], "durability": "lazy",
            "others": [{"command": "ship", "feature": "x"}], "document": {"a": 1}}"#,
    );
    let read = SampleArguments::read(&object);
    assert_eq!((read.run.command, read.run.feature), ("design", None));
    assert!(read.force);
    assert_eq!(read.times, 3);
    assert_eq!(read.phases, ["a", "b"]);
    assert_eq!(read.durability, Some("lazy"));
    assert_eq!(read.others[0].feature, Some("x"));
    assert_eq!(read.document, object.get("document"));
}

#[test]
fn arguments_that_are_absent_or_null_have_the_default_of_their_type() {
    for text in [
        "{}",
        r#"{"force": null, "phases": null, "durability": null, "document": null}"#,
    ] {
        let object = object(text);
        let read = SampleArguments::read(&object);
        assert!(!read.force && read.phases.is_empty());
        assert_eq!((read.durability, read.document), (None, None));
    }
}

#[test]
fn an_answer_has_the_fields_of_its_members_in_order() {
    assert_eq!(
        printed(&SampleAnswer::SHAPE),
        "\
/** The answer. */
export interface Sample {
  /** Its revision. */
  revision: number;
  /** The phase. */
  phase: string | null;
  /** The sides. */
  sides: (\"before\" | \"then\")[];
  /** Its branch, if there is one. */
  branch?: string | null;
  /** True if it is gone. */
  deleted?: boolean | null;
  /** The points before. */
  before: SamplePoint[];
  /** The size. */
  size: number | null;
}

/** The point. */
export interface SamplePoint {
  /** The phase. */
  phase: string | null;
}
"
    );
}

#[test]
fn an_answer_is_converted_in_the_order_of_its_members() {
    assert_eq!(
        Json::from(answer()).to_line(),
        r#"{"revision":7,"phase":null,"sides":["then","before"],"before":[{"phase":"plan"}],"size":8}"#
    );
    let full = SampleAnswer {
        branch: Some("main".to_owned()),
        is_deleted: true,
        before: Vec::new(),
        ..answer()
    };
    assert_eq!(
        Json::from(full).to_line(),
        r#"{"revision":7,"phase":null,"sides":["then","before"],"branch":"main","deleted":true,"before":[],"size":8}"#
    );
}

#[test]
fn an_answer_is_valid_by_its_shape() {
    assert_eq!(SampleAnswer::SHAPE.problems(&answer().into()), []);
    let presence = |name: &str| SampleAnswer::SHAPE.field(name).map(|it| it.presence);
    assert_eq!(presence("branch"), Some(Presence::Optional));
    assert_eq!(presence("size"), Some(Presence::Required));
}

#[test]
fn one_of_some_shapes_is_a_union() {
    #[derive(Shaped)]
    enum SampleEither {
        Point(SamplePoint),
        Answer(SampleAnswer),
    }
    assert_eq!(type_text(&SampleEither::KIND), "SamplePoint | Sample");
    assert_eq!(
        type_text(&<Vec<SampleEither>>::KIND),
        "(SamplePoint | Sample)[]"
    );
    let point = SampleEither::Point(SamplePoint { phase: None });
    assert_eq!(Json::from(point).to_line(), r#"{"phase":null}"#);
    assert!(matches!(
        Json::from(SampleEither::Answer(answer())),
        Json::Object(_)
    ));
    assert_eq!(type_text(&Kind::NULL), "null");
}
