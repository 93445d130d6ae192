//! Attributes, beside what `git check-attr` says of them and what `git hash-object` makes of files.

use std::fs;

use fastrand::Rng;
use milepost::git::attributes::{
    AttributeValue, Attributes, CONVERTING, ConversionReason, LineEnds,
};
use milepost::git::ignore::Case;
use milepost::git::objects::{GitObject, ObjectKind};
use milepost_property::rounds;

use super::{Repository, feed};

const FOLDERS: [&str; 4] = ["", "a/", "a/b/", "c d/"];
const NAMES: [&str; 7] = ["x", "y.txt", "z.bin", "A", "b", "q r", "ü"];

fn paths() -> Vec<String> {
    let each = FOLDERS
        .iter()
        .flat_map(|folder| NAMES.map(|name| format!("{folder}{name}")));
    each.collect()
}

/// A file of attributes, of lines that git takes and of some that it passes over.
fn lines(random: &mut Rng) -> Vec<u8> {
    const PATTERNS: [&str; 22] = [
        "*",
        "*.txt",
        "*.bin",
        "x",
        "/x",
        "a/b",
        "a/**",
        "**/b",
        "a/",
        "!x",
        "\"q r\"",
        "q",
        "?",
        "[a-c]",
        "\"\\303\\274\"",
        "\"open",
        "#",
        "c*",
        "[attr]m",
        "[attr]n",
        "[attr]binary",
        "[attr]-no",
    ];
    const VALUES: [&str; 32] = [
        "text",
        "-text",
        "!text",
        "text=auto",
        "text=input",
        "text=x",
        "crlf",
        "-crlf",
        "crlf=input",
        "eol=lf",
        "eol=crlf",
        "eol",
        "filter=lfs",
        "filter=up",
        "-filter",
        "filter",
        "ident",
        "-ident",
        "ident=x",
        "working-tree-encoding=UTF-16LE",
        "working-tree-encoding=utf-8",
        "!working-tree-encoding",
        "binary",
        "-binary",
        "m",
        "m",
        "n",
        "-m",
        "!n",
        "other=1",
        "builtin_x",
        "b@d",
    ];
    let mut text = String::new();
    for _ in 0..random.usize(0..9) {
        text.push_str(["", "", "", " ", "\t"][random.usize(..5)]);
        text.push_str(PATTERNS[random.usize(..PATTERNS.len())]);
        for _ in 0..random.usize(0..4) {
            text.push_str([" ", "  ", "\t"][random.usize(..3)]);
            // Attributes that git does not know are rare, because one costs the whole line.
            let most = if random.u8(..8) == 0 {
                VALUES.len()
            } else {
                VALUES.len() - 2
            };
            text.push_str(VALUES[random.usize(..most)]);
        }
        if random.u8(..40) == 0 {
            text.push_str(&" x=".repeat(800));
        }
        text.push_str(["\n", "\n", "\r\n", " \n"][random.usize(..4)]);
    }
    text.into_bytes()
}

struct Worktree {
    repository: Repository,
    attributes: Attributes,
}

/// Writes attributes wherever git looks for them.
fn write(random: &mut Rng, repository: &Repository, case: Case) -> Attributes {
    let top = repository.top();
    let mut attributes = Attributes::new(case);
    let general = lines(random);
    fs::write(repository.at("general"), &general).unwrap();
    attributes.add_general(&general);
    let info = if random.bool() {
        lines(random)
    } else {
        Vec::new()
    };
    fs::write(top.join(".git/info/attributes"), &info).unwrap();
    attributes.add_info(&info);
    for folder in FOLDERS {
        let text = if random.bool() {
            lines(random)
        } else {
            Vec::new()
        };
        fs::write(top.join(folder).join(".gitattributes"), &text).unwrap();
        attributes.add(folder.as_bytes(), &text);
    }
    attributes
}

fn shown(value: &AttributeValue) -> &[u8] {
    match value {
        AttributeValue::Unspecified => b"unspecified",
        AttributeValue::Set => b"set",
        AttributeValue::Unset => b"unset",
        AttributeValue::Text(text) => text,
    }
}

fn worktrees(random: &mut Rng, count: usize, mut check: impl FnMut(&mut Rng, &Worktree, &[&str])) {
    let repository = Repository::unborn(&[]);
    for folder in FOLDERS {
        fs::create_dir_all(repository.top().join(folder)).unwrap();
        fs::create_dir_all(repository.top().join(".git/info")).unwrap();
    }
    let file = format!("core.attributesFile={}", repository.at("general").display());
    let mut worktree = Worktree {
        repository,
        attributes: Attributes::new(Case::Exact),
    };
    for _ in 0..count {
        let case = [Case::Exact, Case::Folded][random.usize(..2)];
        worktree.attributes = write(random, &worktree.repository, case);
        let fold = format!("core.ignoreCase={}", case == Case::Folded);
        check(random, &worktree, &["-c", &file, "-c", &fold]);
    }
}

#[test]
fn an_attribute_has_the_value_that_git_gives_it() {
    let mut random = Rng::with_seed(41);
    let paths = paths();
    let asked: Vec<u8> = paths
        .iter()
        .flat_map(|path| path.bytes().chain([0]))
        .collect();
    let (mut compared, mut said) = (0, 0);
    let count = rounds(150, 1_000);
    worktrees(&mut random, count, |_, worktree, config| {
        let question = ["check-attr", "-z", "--stdin"];
        let arguments = [config, &question, &CONVERTING].concat();
        let printed = feed(&worktree.repository.top(), &arguments, &asked);
        let mut printed = printed.split(|&byte| byte == 0);
        for path in &paths {
            for (name, value) in CONVERTING
                .iter()
                .zip(worktree.attributes.values(path.as_bytes()))
            {
                let line = [(); 3].map(|()| printed.next().unwrap());
                assert_eq!(line[..2], [path.as_bytes(), name.as_bytes()]);
                let [line, value] =
                    [line[2], shown(&value)].map(|it| it.escape_ascii().to_string());
                assert_eq!(value, line, "{name} of {path}, {:?}", worktree.attributes);
                compared += 1;
                said += usize::from(line != "unspecified");
            }
        }
    });
    assert!(
        compared > 150 * count && said > compared / 10,
        "{said} of {compared}"
    );
}

#[test]
fn a_file_that_git_stores_changed_is_compared_as_git_stores_it() {
    let mut random = Rng::with_seed(42);
    let paths = paths();
    let (mut plain, mut reasons) = (0, [0; 4]);
    let count = rounds(150, 400);
    worktrees(&mut random, count, |random, worktree, config| {
        let ends = [LineEnds::Unconverted, LineEnds::Converted][random.usize(..2)];
        let auto = format!(
            "core.autocrlf={}",
            match ends {
                LineEnds::Unconverted => "false",
                LineEnds::Converted => "input",
            }
        );
        let filter = [
            "-c",
            "filter.up.clean=tr a-z A-Z",
            "-c",
            "filter.lfs.clean=cat",
            "-c",
            &auto,
        ];
        for _ in 0..3 {
            let path = &paths[random.usize(..paths.len())];
            let content = [
                &b"a\r\nb\r\n"[..],
                b"a\nb\n",
                b"$Id: x $ a\n",
                b"a\rb",
                b"a\0\r\n",
            ];
            let content = content[random.usize(..content.len())];
            let reason = worktree.attributes.reason(path.as_bytes(), content, ends);
            let reason_index = match reason {
                Some(ConversionReason::Encoding(_)) => 0,
                Some(ConversionReason::Filter(_)) => 1,
                Some(ConversionReason::Ident) => 2,
                Some(ConversionReason::LineEnds) => 3,
                None => {
                    plain += 1;
                    let path = format!("--path={path}");
                    let arguments = [config, &filter, &["hash-object", "--stdin", &path]].concat();
                    let stored = feed(&worktree.repository.top(), &arguments, content);
                    let blob = GitObject {
                        kind: ObjectKind::Blob,
                        bytes: content.to_vec(),
                    };
                    let id = blob.id(worktree.repository.hash()).digits();
                    assert_eq!(String::from_utf8_lossy(&stored).trim_end(), id, "{path}");
                    continue;
                }
            };
            reasons[reason_index] += 1;
        }
    });
    assert!(
        plain > count / 2 && reasons.iter().all(|it| *it > count / 80),
        "{plain} {reasons:?}"
    );
}

#[test]
fn an_attribute_that_stands_for_itself_comes_to_an_end() {
    let mut attributes = Attributes::new(Case::Exact);
    let mut text = String::from("* m0\n");
    for number in 0..3_000 {
        text += &format!("[attr]m{number} m{} m{number}\n", number + 1);
    }
    attributes.add(b"", (text + "[attr]m3000 m0 text").as_bytes());
    assert_eq!(attributes.values(b"a")[0], AttributeValue::Set);
}
