//! From YAML text to a document.

use std::fmt;

use granit_parser::{ErrorKind, Event, Marker, Parser, ScalarStyle, Span, StrInput, options};

use super::number;
use crate::json::{Json, MAX_DEPTH, NodePath, Object, Pointer};
use crate::str_map::StrMap;
use crate::text::quoted;

/// A longer text is not read.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// A text with more values and keys is not read: in memory each is far larger than `a,`.
pub const MAX_VALUES: usize = 250_000;

/// The reason why bytes are no document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedYaml {
    /// The thing that was found, and what to write instead.
    pub reason: String,
    /// In which value it stands; the root where that is not known, because the text is no YAML.
    pub at: Pointer,
    /// Its line, from 1; 0 where it is about the whole text.
    pub line: usize,
    /// Its column, in characters from 1.
    pub column: usize,
}

impl fmt::Display for MalformedYaml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        if self.line > 0 {
            write!(f, " at line {} column {}", self.line, self.column)?;
        }
        match self.at.as_str() {
            "" => Ok(()),
            at => write!(f, " ({})", crate::text::visible(&crate::text::short(at))),
        }
    }
}

/// Reads one object.
///
/// Of plain scalars, `true`, `false`, `null`, `~`, nothing at all, and numbers are what YAML 1.1 and 1.2
/// agree on that they are; everything else is text: `no`, `012`, `1e3`, `0x10`, `12:30`, dates. A key is
/// text. A leading byte order mark is dropped.
///
/// # Errors
///
/// [`MalformedYaml`] at the first place that is not YAML, or that is refused: an anchor, alias, merge
/// key, tag, directive or second document; a key that is not a text, or that stands twice in one
/// object; a document that is not an object; more than [`MAX_BYTES`], more than [`MAX_VALUES`],
/// deeper than 64 levels, or not UTF-8.
pub fn read(bytes: &[u8]) -> Result<Object, MalformedYaml> {
    if bytes.len() > MAX_BYTES {
        return Err(whole(format!(
            "{} bytes, which is more than the limit of 4 MiB",
            bytes.len()
        )));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Err(not_utf8(&bytes[..error.valid_up_to()])),
    };
    YamlReader::new(text).stream()
}

/// Reads the first members of an object, up to and with the one of this key, from the beginning of a
/// text: what is behind them is neither needed nor looked at.
///
/// `None` where [`read`] would refuse the part that was looked at, and where the beginning is too
/// short, because the end of the last member is known by the key after it. Then the whole text
/// answers.
pub fn read_until(beginning: &[u8], last: &str) -> Option<Object> {
    let text = match std::str::from_utf8(beginning) {
        Ok(text) => text,
        // The end may be in the middle of a character.
        Err(error) => std::str::from_utf8(&beginning[..error.valid_up_to()]).ok()?,
    };
    let mut reader = YamlReader::new(text);
    loop {
        match reader.next().ok()? {
            (Event::StreamStart | Event::DocumentStart(..), _) => {}
            (event @ Event::MappingStart(..), _) => {
                refuse_references(&event).ok()?;
                return reader.members(NodePath::Root, Some(last)).ok();
            }
            _ => return None,
        }
    }
}

fn whole(reason: String) -> MalformedYaml {
    MalformedYaml {
        reason,
        at: Pointer::root(),
        line: 0,
        column: 0,
    }
}

fn not_utf8(before: &[u8]) -> MalformedYaml {
    let text = String::from_utf8_lossy(before);
    let last = text.rsplit('\n').next().unwrap_or_default();
    MalformedYaml {
        reason: "not UTF-8: save the file in that encoding".to_owned(),
        at: Pointer::root(),
        line: text.matches('\n').count() + 1,
        column: last.chars().count() + 1,
    }
}

fn problem(path: NodePath<'_>, reason: String, at: Marker) -> MalformedYaml {
    MalformedYaml {
        reason,
        at: path.pointer(),
        line: at.line(),
        column: at.col() + 1,
    }
}

struct YamlReader<'a> {
    events: Parser<'a, StrInput<'a>>,
    values_left: usize,
}

impl<'a> YamlReader<'a> {
    fn new(text: &'a str) -> Self {
        let options = options! {
            strict_indentation: true,
            disallow_directives: true,
            emit_unresolved_aliases: true,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
        };
        YamlReader {
            events: Parser::new_from_str_with_options(text, options),
            values_left: MAX_VALUES,
        }
    }

    fn stream(&mut self) -> Result<Object, MalformedYaml> {
        let root = NodePath::Root;
        loop {
            match self.next()? {
                (Event::StreamStart | Event::DocumentStart(..), _) => {}
                (Event::StreamEnd, _) => {
                    return Err(whole("expected an object, found an empty text".to_owned()));
                }
                (event, span) => {
                    let object = match self.value(event, span, root)? {
                        Json::Object(object) => object,
                        other => {
                            let reason = format!("expected an object, found {}", other.kind());
                            return Err(problem(root, reason, span.start));
                        }
                    };
                    return self.end(root).map(|()| object);
                }
            }
        }
    }

    fn end(&mut self, root: NodePath<'_>) -> Result<(), MalformedYaml> {
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(()),
                (Event::DocumentStart(..), span) => {
                    let reason = "a second document begins: only one is read";
                    return Err(problem(root, reason.to_owned(), span.start));
                }
                _ => {}
            }
        }
    }

    fn next(&mut self) -> Result<(Event<'a>, Span), MalformedYaml> {
        match self.events.next_event() {
            Some(Ok(next)) => Ok(next),
            Some(Err(error)) => {
                let reason = match error.kind() {
                    ErrorKind::RecursionLimitExceeded => TOO_DEEP.to_owned(),
                    kind => format!("not YAML: {kind}"),
                };
                // The scanner is ahead of the value that is being read: only its own place is right.
                Err(problem(NodePath::Root, reason, *error.marker()))
            }
            None => Err(whole("not YAML: the text ends too early".to_owned())),
        }
    }

    fn value(
        &mut self,
        event: Event<'a>,
        at: Span,
        path: NodePath<'_>,
    ) -> Result<Json, MalformedYaml> {
        self.count(path, at)?;
        refuse_references(&event).map_err(|reason| problem(path, reason, at.start))?;
        let is_nested = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
        if is_nested && path.depth() >= MAX_DEPTH {
            return Err(problem(path, TOO_DEEP.to_owned(), at.start));
        }
        match event {
            Event::Scalar(text, ScalarStyle::Plain, ..) => Ok(plain(&text)),
            Event::Scalar(text, ..) => Ok(Json::String(text.into_owned())),
            Event::SequenceStart(..) => self.list(path),
            Event::MappingStart(..) => self.members(path, None).map(Json::Object),
            _ => Err(problem(
                path,
                "not YAML: expected a value".to_owned(),
                at.start,
            )),
        }
    }

    fn list(&mut self, path: NodePath<'_>) -> Result<Json, MalformedYaml> {
        let mut items = Vec::new();
        loop {
            let path = NodePath::Item(&path, items.len());
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Json::Array(items)),
                (event, span) => items.push(self.value(event, span, path)?),
            }
        }
    }

    /// The members of an object: all, or those up to a key.
    fn members(&mut self, path: NodePath<'_>, last: Option<&str>) -> Result<Object, MalformedYaml> {
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut marks: Vec<Marker> = Vec::new();
        let mut is_last = false;
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                if let Some(key) = last {
                    return Err(problem(
                        path,
                        format!("there is no {}", quoted(key)),
                        span.start,
                    ));
                }
                break;
            }
            if is_last {
                break;
            }
            let key = self.key(event, span, path)?;
            let inner = NodePath::Key(&path, &key);
            let (event, span_of_value) = self.next()?;
            let value = self.value(event, span_of_value, inner)?;
            is_last = last == Some(key.as_str());
            members.push((key, value));
            marks.push(span.start);
        }
        if let Some(again) = repeated(&members) {
            let key = quoted(&members[again].0);
            let reason = format!(
                "the key {key} stands twice in one object, and readers differ in which one they \
                 take: leave one of them out"
            );
            return Err(problem(path, reason, marks[again]));
        }
        Ok(members.into_iter().collect())
    }

    fn key(
        &mut self,
        event: Event<'a>,
        at: Span,
        path: NodePath<'_>,
    ) -> Result<String, MalformedYaml> {
        self.count(path, at)?;
        let refused = refuse_references(&event).and_then(|()| match event {
            Event::Scalar(text, ScalarStyle::Plain, ..) if text == "<<" => Err(
                "a merge key (<<) is not read: write out the members that it stands for".to_owned(),
            ),
            // The parser's word for nothing at all, too.
            Event::Scalar(text, ScalarStyle::Plain, ..) if text == "~" => {
                Err("a key is missing, or is ~: write a text in quotes".to_owned())
            }
            Event::Scalar(text, ..) => Ok(text.into_owned()),
            _ => Err("a list or an object stands as a key: write a text in quotes".to_owned()),
        });
        refused.map_err(|reason| problem(path, reason, at.start))
    }

    fn count(&mut self, path: NodePath<'_>, at: Span) -> Result<(), MalformedYaml> {
        if self.values_left == 0 {
            let reason = format!("more than {MAX_VALUES} values and keys");
            return Err(problem(path, reason, at.start));
        }
        self.values_left -= 1;
        Ok(())
    }
}

const TOO_DEEP: &str = "nested deeper than 64 levels";

/// Refuses what stands for something else, or says how a reader is to understand a value.
fn refuse_references(event: &Event<'_>) -> Result<(), String> {
    let (anchor, is_tagged) = match event {
        Event::Alias(_) | Event::UnresolvedAlias(_) => {
            return Err(
                "an alias (*name) is not read: write out the value that it stands for".to_owned(),
            );
        }
        Event::Scalar(_, _, anchor, tag)
        | Event::SequenceStart(_, anchor, tag)
        | Event::MappingStart(_, anchor, tag) => (*anchor, tag.is_some()),
        _ => return Ok(()),
    };
    if anchor != 0 {
        return Err("an anchor (&name) is not read: leave it out".to_owned());
    }
    if is_tagged {
        return Err("a tag (!name) is not read: leave it out, and put text in quotes".to_owned());
    }
    Ok(())
}

fn plain(text: &str) -> Json {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Json::Null,
        "true" | "True" | "TRUE" => Json::Bool(true),
        "false" | "False" | "FALSE" => Json::Bool(false),
        _ if number::is_common(text) => Json::Number(text.into()),
        _ => Json::String(text.to_owned()),
    }
}

/// The first member whose key stood before.
fn repeated(members: &[(String, Json)]) -> Option<usize> {
    let keys = members.iter().enumerate();
    let first: StrMap<'_, usize> = keys.map(|(at, (key, _))| (key.as_str(), at)).collect();
    let mut all = members.iter().enumerate();
    all.find(|(at, (key, _))| first.get(key) != Some(at))
        .map(|(at, _)| at)
}
