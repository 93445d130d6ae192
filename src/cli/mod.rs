//! The command line: the same on every host.
//!
//! A host hands over the words, what it knows of the place, and whether standard output takes
//! colour. Everything else, printing included, happens through effects.

mod answer;
mod arguments;
mod checkpoint;
mod console;
mod doctor;
mod input;
mod render;
mod run;

pub use run::run;

use crate::effect::{Machine, Stream};
use crate::json::{self, Json};
use crate::operation::Settings;
use crate::operation::request::parse_place;

/// One call of the command line.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The words after the program's name.
    pub arguments: Vec<String>,
    /// Where to work; `--root` wins over its root.
    pub settings: Settings,
    /// Whether standard output is a terminal and `NO_COLOR` is unset.
    pub color: bool,
}

/// Begins a call that arrives as text: `{"arguments": […], "place": {…}, "color": bool}`.
///
/// The machine ends with the exit code.
pub fn start(request: &[u8]) -> Machine<u8> {
    match Invocation::read(request) {
        Ok(invocation) => Machine::start(|io| run(io, invocation)),
        Err(reason) => Machine::start(|io| async move {
            let text = format!("milepost: the host's request is wrong: {reason}\n");
            // The exit code tells it as well, should there be nobody to read this.
            let _ = io.print(Stream::Error, text).await;
            answer::Exit::Usage.code()
        }),
    }
}

impl Invocation {
    fn read(request: &[u8]) -> Result<Self, String> {
        let reading = json::read(request).map_err(|malformed| malformed.to_string())?;
        let request = reading.value.as_object().ok_or("expected an object")?;
        let arguments = request
            .get("arguments")
            .and_then(Json::as_array)
            .and_then(|items| {
                items
                    .iter()
                    .map(|item| item.as_str().map(str::to_owned))
                    .collect()
            })
            .ok_or("expected a list of strings in `arguments`")?;
        let color = request
            .get("color")
            .and_then(Json::as_bool)
            .ok_or("expected a boolean in `color`")?;
        let settings = request
            .get("place")
            .and_then(Json::as_object)
            .ok_or("expected an object in `place`")?;
        let settings = parse_place(settings).map_err(|error| error.to_string())?;
        Ok(Invocation {
            arguments,
            settings,
            color,
        })
    }
}
