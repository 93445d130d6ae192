use super::{Case, IgnorePathKind, IgnoreVerdict, Rules};

/// The verdict of a `.gitignore` at the top on a path.
fn said(text: &str, path: &str, kind: IgnorePathKind) -> IgnoreVerdict {
    let mut rules = Rules::new(Case::Exact);
    rules.add(b"", text.as_bytes());
    rules.verdict(path.as_bytes(), kind)
}

#[test]
fn patterns_match_as_gitignore_documents_them() {
    for (text, matched, unmatched) in [
        ("a", &["a", "x/a"][..], &["ab", "x/ab"][..]),
        ("/a", &["a"], &["x/a"]),
        ("a/b", &["a/b"], &["x/a/b"]),
        ("*.o", &["a.o", "x/.o"], &["a.oo", "a.o/b"]),
        ("a*b", &["ab", "axxb", "x/a.b"], &["a/b", "abx"]),
        ("a/*", &["a/b"], &["a/b/c"]),
        ("**/a", &["a", "x/a", "x/y/a"], &["xa"]),
        ("a/**", &["a/b", "a/b/c"], &["a", "x/a/b"]),
        ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "a/xb"]),
        ("a**b", &["ab", "axb"], &["a/b"]),
        ("?a", &["xa"], &["a", "/a"]),
        ("[a-c]", &["a", "x/b"], &["d", "-"]),
        ("[!a-c]", &["d"], &["a"]),
        ("[]-]", &["]", "-"], &["a"]),
        ("[[:digit:]x]", &["7", "x"], &["a"]),
        ("a\\*", &["a*"], &["ab"]),
        ("\\#a", &["#a"], &["a"]),
        ("\\!a", &["!a"], &["a"]),
        ("a ", &["a"], &["a "]),
        ("a\\ ", &["a "], &["a"]),
        ("a\\  ", &["a "], &["a", "a  "]),
        ("#a", &[], &["#a", "a"]),
        ("[", &[], &["["]),
        ("\r\na\r\n", &["a"], &["", "a\r"]),
        ("\u{feff}a", &["a"], &["\u{feff}a"]),
        ("/", &[], &["a", ""]),
        ("", &[], &["a", ""]),
    ] {
        for path in matched {
            assert_eq!(
                said(text, path, IgnorePathKind::File),
                IgnoreVerdict::Ignored,
                "{text} {path}"
            );
        }
        for path in unmatched {
            assert_eq!(
                said(text, path, IgnorePathKind::File),
                IgnoreVerdict::Unmentioned,
                "{text} {path}"
            );
        }
    }
}

#[test]
fn a_final_slash_stands_for_folders_alone() {
    assert_eq!(
        said("a/", "a", IgnorePathKind::Folder),
        IgnoreVerdict::Ignored
    );
    assert_eq!(
        said("a/", "x/a", IgnorePathKind::Folder),
        IgnoreVerdict::Ignored
    );
    assert_eq!(
        said("a/", "a", IgnorePathKind::File),
        IgnoreVerdict::Unmentioned
    );
}

#[test]
fn a_file_below_an_ignored_folder_cannot_be_kept() {
    let mut rules = Rules::new(Case::Exact);
    rules.add(b"", b"build/\n!build/keep\n*.log\n!kept.log");
    rules.add(b"build/", b"!*");
    assert!(rules.ignores(b"build/keep", IgnorePathKind::File));
    assert_eq!(
        rules.verdict(b"build/keep", IgnorePathKind::File),
        IgnoreVerdict::Included
    );
    assert!(rules.ignores(b"a.log", IgnorePathKind::File));
    assert!(!rules.ignores(b"x/kept.log", IgnorePathKind::File));
    assert!(!rules.ignores(b"x/a", IgnorePathKind::File));
}

#[test]
fn the_nearest_folder_decides_and_the_user_comes_last() {
    let mut rules = Rules::new(Case::Exact);
    rules.add_general(b"*");
    rules.add_general(b"!a\n!b\n!c");
    rules.add(b"x/y/", b"!d");
    rules.add(b"", b"b\nd");
    rules.add(b"x/", b"c");
    for (path, expected) in [
        ("e", IgnoreVerdict::Ignored),
        ("a", IgnoreVerdict::Included),
        ("b", IgnoreVerdict::Ignored),
        ("c", IgnoreVerdict::Included),
        ("x/c", IgnoreVerdict::Ignored),
        ("x/y/c", IgnoreVerdict::Ignored),
        ("x/d", IgnoreVerdict::Ignored),
        ("x/y/d", IgnoreVerdict::Included),
    ] {
        assert_eq!(
            rules.verdict(path.as_bytes(), IgnorePathKind::File),
            expected,
            "{path}"
        );
    }
    rules.add(b"", b"");
    assert_eq!(
        rules.verdict(b"b", IgnorePathKind::File),
        IgnoreVerdict::Included
    );
}

#[test]
fn a_pattern_of_stars_takes_linear_time() {
    let pattern = "a*".repeat(200) + "b/**/" + &"*a".repeat(200);
    let path = format!("{}/{}", "a".repeat(2_000), "a/".repeat(500));
    assert_eq!(
        said(&pattern, &path, IgnorePathKind::File),
        IgnoreVerdict::Unmentioned
    );
}
