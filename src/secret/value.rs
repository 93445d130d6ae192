//! Secrets in a value of JSON, some of which are known by the names that they stand under alone.

use super::redact::{redact, redact_field};
use crate::json::{self, Json, Object};

/// A value that stands under these names, without its secrets.
pub fn redact_value(names: &[&str], value: &Json) -> Json {
    match value {
        Json::String(text) => redact_field(names, text).text.into_owned().into(),
        Json::Number(text) => {
            let redacted = redact_field(names, text);
            match redacted.findings.is_empty() {
                true => value.clone(),
                false => redacted.text.into_owned().into(),
            }
        }
        Json::Array(items) => {
            let items = items.iter().map(|item| redact_value(names, item));
            Json::Array(items.collect())
        }
        Json::Object(object) => redact_members(names, object).into(),
        Json::Null | Json::Bool(_) => value.clone(),
    }
}

/// An object that stands under these names, without the secrets in its names and values.
pub fn redact_members(names: &[&str], object: &Object) -> Object {
    let members = object.iter().map(|(key, value)| {
        let names = [names, &[key]].concat();
        (redact(key).text.into_owned(), redact_value(&names, value))
    });
    members.collect()
}

/// A text that stands under these names, without its secrets: a value of JSON where it is one.
pub fn redact_text(names: &[&str], text: &str) -> String {
    match json::read(text.as_bytes()) {
        Ok(reading) => redact_value(names, &reading.value).to_line(),
        Err(_) => redact_field(names, text).text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{redact_text, redact_value};
    use crate::json;

    #[test]
    fn no_secret_is_left_by_its_form_or_by_the_names_above_it() {
        let text = r#"{"ghp_0123456789abcdefghijABCDEFGHIJ456789": 1,
            "password": {"first": "correct horse", "second": [12345678]},
            "note": ["ghp_0123456789abcdefghijABCDEFGHIJ456789", 1.50, true, null]}"#;
        let value = json::read(text.as_bytes()).unwrap().value;
        assert_eq!(
            redact_value(&[], &value).to_line(),
            concat!(
                r#"{"[REDACTED:token]":1,"#,
                r#""password":{"first":"[REDACTED:named_secret]","second":["[REDACTED:named_secret]"]},"#,
                r#""note":["[REDACTED:token]",1.50,true,null]}"#
            )
        );
    }

    #[test]
    fn a_text_is_redacted_as_json_where_it_is_and_as_it_stands_elsewhere() {
        for (names, text, expected) in [
            (
                &["a"][..],
                r#"{"password":"correct horse"}"#,
                r#"{"password":"[REDACTED:named_secret]"}"#,
            ),
            (&["password"], "correct horse", "[REDACTED:named_secret]"),
            (&[], "/plain/pointer", "/plain/pointer"),
            (
                &[],
                "/ghp_0123456789abcdefghijABCDEFGHIJ456789",
                "/[REDACTED:token]",
            ),
        ] {
            assert_eq!(redact_text(names, text), expected);
        }
    }
}
