//! Requests, as surfaces send them: operations of the table, with arguments of their shapes.

use fastrand::Rng;
use milepost::checkpoint::command::definition::COMMANDS;
use milepost::json::{Json, Object};
use milepost::operation::table::{self, Capability, Operation};
use milepost::schema::{Field, Kind, Presence};

use super::{ROOT, document, handoff, text};
use crate::world::World;

/// A checkpoint.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) command: String,
    pub(super) feature: Option<String>,
}

/// Two of them are one on some file systems.
const FEATURES: [&str; 3] = ["dark-mode", "Dark-Mode", "light-mode"];

const NO_NAMES: [&str; 8] = ["", "..", "a/b", "CON", "x.", "checkpoint", "ä", "-x"];

impl Target {
    pub(super) fn any(random: &mut Rng) -> Self {
        let feature = match random.u8(..10) {
            0..=5 => None,
            6 => Some(FEATURES[1]),
            _ => Some(FEATURES[0]),
        };
        Target {
            command: COMMANDS[random.usize(..COMMANDS.len())].to_owned(),
            feature: feature.map(str::to_owned),
        }
    }

    /// The place of its document.
    pub(super) fn file(&self) -> String {
        let feature = self.feature.as_deref().unwrap_or("checkpoint");
        format!("{ROOT}/.claude/state/{}-{feature}.json", self.command)
    }
}

/// Operations that bring a document come so many times as often: what the others find is their work.
const WRITERS: usize = 3;

/// A request on the checkpoint, or now and then on another or on none.
pub(super) fn on_checkpoint(random: &mut Rng, world: &World, target: &Target) -> String {
    let operation = any(random, milepost::operation::table::Operation::has_place);
    let mut request = arguments(random, operation, Some(world), target);
    request.set("place", place(random, world));
    match random.u8(..60) {
        0 => request.set("command", "deploy"),
        1 => request.set("feature", NO_NAMES[random.usize(..NO_NAMES.len())]),
        2 => request.set("feature", true),
        3 => request.set("operation", "forget"),
        _ => {}
    }
    Json::Object(request).to_line()
}

/// A request that asks for no effect.
pub(super) fn of_rules(random: &mut Rng) -> String {
    if random.u8(..4) == 0 {
        return no_request(random);
    }
    let operation = any(random, |operation| !operation.has_place());
    let target = Target::any(random);
    Json::Object(arguments(random, operation, None, &target)).to_line()
}

/// One that every wasm has.
fn any(random: &mut Rng, is_meant: impl Fn(&Operation) -> bool) -> &'static Operation {
    let meant = table::all()
        .filter(|operation| operation.capability == Capability::Library && is_meant(operation));
    let weighed: Vec<&Operation> = meant
        .flat_map(|operation| {
            let fields = operation.arguments.fields.iter();
            let own = fields.filter(|field| !matches!(field.name, "command" | "feature"));
            let writes = own.clone().map(inner).any(|it| matches!(it, Kind::Record));
            // The more arguments, the more there is to try.
            let weight = 1 + own.count();
            vec![operation; if writes { WRITERS * weight } else { weight }]
        })
        .collect();
    weighed[random.usize(..weighed.len())]
}

/// The value where it is not null.
fn inner(field: &Field) -> &Kind {
    match &field.kind {
        Kind::Nullable(kind) => kind,
        kind => kind,
    }
}

/// A request with what the shape has.
fn arguments(
    random: &mut Rng,
    operation: &Operation,
    world: Option<&World>,
    target: &Target,
) -> Object {
    let mut request = Object::new().with("operation", operation.name);
    // A document comes in one of two forms.
    let left_out = ["document", "text"][random.usize(..2)];
    for field in operation.arguments.fields {
        let is_form = matches!(field.name, "document" | "text");
        let is_wanted = match (is_form, field.presence) {
            (true, _) => field.name != left_out || random.u8(..40) == 0,
            (false, Presence::Required) => random.u8(..100) > 0,
            (false, _) => matches!(field.name, "command" | "feature") || random.u8(..5) == 0,
        };
        if is_wanted {
            request.set(field.name, value(random, field, world, target));
        }
    }
    request
}

/// The value that the name of an argument stands for, or else anything of its kind.
fn value(random: &mut Rng, field: &Field, world: Option<&World>, target: &Target) -> Json {
    match field.name {
        "command" => target.command.as_str().into(),
        "feature" => target.feature.clone().into(),
        "phase" => document::phase(random).into(),
        "patch" => document::patch(random).into(),
        "document" => whole(random, world, target),
        "text" => match random.u8(..8) {
            0 => String::from_utf8_lossy(&document::planted(random, target))
                .into_owned()
                .into(),
            1 => text::any(random).into(),
            _ => whole(random, world, target).to_line().into(),
        },
        _ => of_kind(random, inner(field)),
    }
}

/// The document of a checkpoint, or without a world that of a handoff as well.
fn whole(random: &mut Rng, world: Option<&World>, target: &Target) -> Json {
    match (world, random.u8(..4)) {
        (Some(world), _) => document::to_save(random, world, target).into(),
        (None, 0) => document::document(random, target).into(),
        (None, 1) => document::value(random, 3),
        (None, 2) => handoff::request(random).into(),
        (None, _) => handoff::response(random).into(),
    }
}

fn of_kind(random: &mut Rng, kind: &Kind) -> Json {
    match kind {
        Kind::Nullable(_) if random.bool() => Json::Null,
        Kind::Nullable(kind) => of_kind(random, kind),
        Kind::Boolean => random.bool().into(),
        // One of the first revisions, or around the fewest that may be kept.
        Kind::Integer if random.u8(..4) > 0 => random.u64(..7).into(),
        Kind::Integer => random.u64(8..14).into(),
        Kind::Number => Json::Number(format!("{}.5", random.i8(..)).into()),
        Kind::Constant(number) => (*number).into(),
        Kind::Enum(texts) if random.u8(..8) > 0 => texts[random.usize(..texts.len())].into(),
        Kind::String if random.bool() => FEATURES[random.usize(..FEATURES.len())].into(),
        Kind::String | Kind::Time | Kind::Summary | Kind::Name | Kind::Part(_) | Kind::Enum(_) => {
            text::word(random).into()
        }
        Kind::List(kind) => {
            let items = (0..random.u8(..3)).map(|_| of_kind(random, kind));
            items.collect::<Vec<_>>().into()
        }
        Kind::Pair(kind) => vec![of_kind(random, kind), of_kind(random, kind)].into(),
        Kind::Object(_) | Kind::Map(_) | Kind::Either(_) | Kind::Record => {
            document::patch(random).into()
        }
        Kind::Any => document::value(random, 3),
    }
}

fn place(random: &mut Rng, world: &World) -> Object {
    let mut place = Object::new();
    match random.u8(..10) {
        0 => place.set("working", format!("{ROOT}/src/deep")),
        1 => place.set("git_root", ROOT),
        2 => place.set("root", "/elsewhere-that-is-not"),
        _ => place.set("working", ROOT),
    }
    match random.u8(..13) {
        0 => place.set("durability", "lazy"),
        1 => place.set("dir", ".state"),
        2 => place.set("durability", "sometimes"),
        3 => {
            let history = Object::new()
                .with("revisions", random.u64(8..14))
                .with("days", random.bool().then(|| random.u64(..30)));
            place.set("history", history);
        }
        _ => {}
    }
    if let Some(storage) = world.storage() {
        place.set("storage", storage);
    }
    place
}

/// A text that no operation can be read from.
fn no_request(random: &mut Rng) -> String {
    let texts = ["", "{", "[]", "{}", "{\"operation\":1}", "nothing"];
    texts[random.usize(..texts.len())].to_owned()
}
