//! Reading YAML: it never panics, refuses with a place inside the text, reads nothing that is nested
//! deeper than it writes, and what is read is written so that it is read as the same.

use milepost::checkpoint::session::yaml;
use milepost::json::{Json, MAX_DEPTH};

/// Every kind of token, and what is hard about it.
pub const SEEDS: &[&[u8]] = &[
    b"a: b\n",
    b"id: \"x\"\nlist:\n  - 1\n  - k: |\n      text\n\n      more\n    l: >-\n      a\n      b\n",
    b"{a: [1, 1.5, 1.0e+3, 1e3, 012, 0x10], b: {c: null, d: ~, e: , f: yes}, \"g\": 'it''s'}",
    b"? long\n: value\n? \"b\"\n:\n  - - - x\n",
    b"a: &x [1]\nb: *x\n<<: *x\nc: !!str d\n",
    b"%YAML 1.2\n---\na: b\n...\n---\nc: d\n",
    b"\xEF\xBB\xBFa: \"\\ud83c\\udfc1 \\x41 \\N \\_ \\L \\/ \\\n  folded\"\r\n",
    "a: \"é漢🏁\u{2028}\u{85}\u{a0}\"\n# comment\nb: c # d\n".as_bytes(),
    b"a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1",
    b"a:\n- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - x\n",
];

/// The bytes are the text.
pub fn run(data: &[u8]) {
    let object = match yaml::read(data) {
        Ok(object) => object,
        Err(malformed) => {
            assert!(!malformed.reason.is_empty());
            let lines = String::from_utf8_lossy(data).split(['\n', '\r']).count();
            assert!(malformed.line <= lines + 1, "{malformed}");
            return;
        }
    };
    assert!(Json::from(object.clone()).is_within(MAX_DEPTH));
    let text = yaml::write(&object);
    assert_eq!(yaml::read(text.as_bytes()).as_ref(), Ok(&object), "{text}");
    let last = object.iter().rev().nth(1).map(|(key, _)| key);
    if let Some(last) = last {
        let head = yaml::read_until(text.as_bytes(), last).expect("another member follows");
        assert_eq!(head.len(), object.len() - 1, "{text}");
    }
}
