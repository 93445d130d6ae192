//! The places of the parts of a settings file: JSON as people keep it, with comments, with a comma
//! behind the last one, and with a byte order mark.

use std::ops::Range;

use super::read::{self, JsonReader, decode};
use super::{Json, MAX_DEPTH, Malformed, Object};

/// A value, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonNode {
    /// Its bytes in the text.
    pub at: Range<usize>,
    /// Its value.
    pub value: NodeValue,
}

/// The value of a [`JsonNode`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeValue {
    /// Anything that holds no other value.
    Scalar(Json),
    /// The items of a list.
    Array(Vec<JsonNode>),
    /// The members of an object.
    Object(Vec<Member>),
}

/// One member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its bytes, from the key to the end of the value.
    pub at: Range<usize>,
    /// Its key, decoded.
    pub key: String,
    /// Its value.
    pub value: JsonNode,
}

impl JsonNode {
    /// The value without its places. Of a key that stands twice the last one counts, as everywhere.
    pub fn json(&self) -> Json {
        match &self.value {
            NodeValue::Scalar(value) => value.clone(),
            NodeValue::Array(items) => Json::Array(items.iter().map(JsonNode::json).collect()),
            NodeValue::Object(members) => {
                let mut object = Object::new();
                for member in members {
                    object.set(&member.key, member.value.json());
                }
                object.into()
            }
        }
    }

    /// The member of an object that counts.
    pub fn member(&self, key: &str) -> Option<&Member> {
        match &self.value {
            NodeValue::Object(members) => members.iter().rfind(|member| member.key == key),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn items(&self) -> Option<&[JsonNode]> {
        match &self.value {
            NodeValue::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            NodeValue::Scalar(value) => value.as_str(),
            _ => None,
        }
    }

    /// The kind of value, as error messages name it.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            NodeValue::Scalar(value) => value.kind(),
            NodeValue::Array(_) => "array",
            NodeValue::Object(_) => "object",
        }
    }

    /// Returns the ranges of its parts; empty for a value without parts.
    pub(super) fn parts(&self) -> Vec<Range<usize>> {
        match &self.value {
            NodeValue::Scalar(_) => Vec::new(),
            NodeValue::Array(items) => items.iter().map(|item| item.at.clone()).collect(),
            NodeValue::Object(members) => members.iter().map(|member| member.at.clone()).collect(),
        }
    }
}

/// Reads one value, and nothing else but comments.
///
/// # Errors
///
/// [`Malformed`] when the text is not JSON with comments, or nested deeper than [`MAX_DEPTH`].
pub fn outline(text: &str) -> Result<JsonNode, Malformed> {
    let start = text.len() - text.strip_prefix('\u{FEFF}').unwrap_or(text).len();
    let mut outlining = Outlining(JsonReader {
        text,
        bytes: text.as_bytes(),
        at: start,
        depth_left: MAX_DEPTH,
        duplicate_key: None,
        text_replaced: false,
    });
    let node = outlining.value().and_then(|node| {
        let rest = outlining.token()?;
        rest.map_or(Ok(node), |_| Err("expected the end of the document"))
    });
    node.map_err(|reason| read::malformed(text.as_bytes(), outlining.0.at, reason))
}

/// Returns the end of the white space and comments that begin at `at`.
///
/// # Errors
///
/// The problem, where a comment does not end.
pub(super) fn after_trivia(text: &str, at: usize) -> Result<usize, &'static str> {
    let mut at = at;
    loop {
        at = after_blanks(text, at);
        match after_comment(text, at)? {
            after if after == at => return Ok(at),
            after => at = after,
        }
    }
}

/// Returns the end of the white space that begins at `at`.
pub(super) fn after_blanks(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches(BLANKS).len()
}

/// White space of JSON.
pub(super) const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// Returns the end of the comment that stands at `at`, if one does; that of one line ends before
/// the line does.
pub(super) fn after_comment(text: &str, at: usize) -> Result<usize, &'static str> {
    let rest = &text[at..];
    let length = match rest.strip_prefix("/*") {
        _ if rest.starts_with("//") => rest.find(['\n', '\r']).unwrap_or(rest.len()),
        Some(inner) => inner.find("*/").ok_or("expected the end of a comment")? + 4,
        None => 0,
    };
    Ok(at + length)
}

struct Outlining<'a>(JsonReader<'a>);

impl Outlining<'_> {
    /// The next byte that is neither white space nor in a comment, not consumed.
    fn token(&mut self) -> Result<Option<u8>, &'static str> {
        self.0.at = after_trivia(self.0.text, self.0.at)?;
        Ok(self.0.bytes.get(self.0.at).copied())
    }

    fn value(&mut self) -> Result<JsonNode, &'static str> {
        let token = self.token()?;
        let start = self.0.at;
        let value = match token {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            _ => NodeValue::Scalar(self.0.value()?),
        };
        let at = start..self.0.at;
        Ok(JsonNode { at, value })
    }

    fn nested(
        &mut self,
        inner: fn(&mut Self) -> Result<NodeValue, &'static str>,
    ) -> Result<NodeValue, &'static str> {
        if self.0.depth_left == 0 {
            return Err("nested deeper than 64 levels");
        }
        self.0.depth_left -= 1;
        self.0.at += 1;
        let value = inner(self);
        self.0.depth_left += 1;
        value
    }

    fn object(&mut self) -> Result<NodeValue, &'static str> {
        let mut members = Vec::new();
        while self.token()? != Some(b'}') {
            members.push(self.member()?);
            self.end_part(b'}', "expected a comma or a closing brace")?;
        }
        self.0.at += 1;
        Ok(NodeValue::Object(members))
    }

    fn member(&mut self) -> Result<Member, &'static str> {
        let start = self.0.at;
        if self.token()? != Some(b'"') {
            return Err("expected a key in double quotes");
        }
        let key = self.0.string()?;
        if self.token()? != Some(b':') {
            return Err("expected a colon");
        }
        self.0.at += 1;
        let value = self.value()?;
        let at = start..value.at.end;
        Ok(Member { at, key, value })
    }

    fn array(&mut self) -> Result<NodeValue, &'static str> {
        let mut items = Vec::new();
        while self.token()? != Some(b']') {
            items.push(self.value()?);
            self.end_part(b']', "expected a comma or a closing bracket")?;
        }
        self.0.at += 1;
        Ok(NodeValue::Array(items))
    }

    /// Passes over the comma behind a part; there need be none before the end.
    fn end_part(&mut self, end: u8, otherwise: &'static str) -> Result<(), &'static str> {
        match self.token()? {
            Some(b',') => {
                self.0.at += 1;
                Ok(())
            }
            Some(token) if token == end => Ok(()),
            _ => Err(otherwise),
        }
    }
}

/// The text of a string as it stands between its quotes, decoded.
pub fn decoded(raw: &str) -> String {
    decode(raw).0
}
