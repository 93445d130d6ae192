//! Ignored files, beside what `git check-ignore` says of them.

use std::collections::BTreeSet;
use std::fs;

use fastrand::Rng;
use milepost::git::ignore::{Case, IgnorePathKind, Rules};
use milepost_property::rounds;

use super::{Repository, feed};

/// The names of folders and files. All files of the tree exist, so that git knows the kind of each.
const NAMES: [&str; 14] = [
    "a", "b", "A", "ab", "a.o", "b.log", "lib", "#x", "!y", "a b", "x ", "[z]", "q\\", "ü",
];

struct Tree {
    repository: Repository,
    folders: Vec<String>,
    paths: Vec<(String, IgnorePathKind)>,
}

/// A tree of three levels, in which a name is a folder here and a file there.
fn tree(random: &mut Rng) -> Tree {
    let repository = Repository::unborn(&[]);
    let mut folders = vec![String::new()];
    let mut paths = Vec::new();
    let mut next = 0;
    while let Some(folder) = folders.get(next).cloned() {
        next += 1;
        let depth = folder.matches('/').count();
        for name in NAMES {
            let path = format!("{folder}{name}");
            let file = repository.top().join(&path);
            if depth < 3 && random.u8(..5) == 0 {
                fs::create_dir(file).unwrap();
                folders.push(format!("{path}/"));
                paths.push((path, IgnorePathKind::Folder));
            } else if random.bool() {
                fs::write(file, "").unwrap();
                paths.push((path, IgnorePathKind::File));
            }
        }
    }
    Tree {
        repository,
        folders,
        paths,
    }
}

/// A file of patterns, of pieces that mean something to git, and of paths that exist.
fn patterns(random: &mut Rng, tree: &Tree) -> Vec<u8> {
    const PIECES: [&str; 34] = [
        "a",
        "b",
        "A",
        "/",
        "/",
        "*",
        "*",
        "**",
        "**/",
        "/**",
        "/**/",
        "?",
        "[a-c]",
        "[!a]",
        "[A-Z]",
        "[[:alpha:]]",
        "[[:upper:]]",
        "[^[:lower:]b]",
        "[]a]",
        "[a-",
        "[\\]b]",
        "\\",
        "\\a",
        "\\A",
        "\\*",
        ".o",
        ".log",
        " ",
        "\\ ",
        "!",
        "#",
        "***",
        "[[:x:]]",
        "[[:a]",
    ];
    let mut text = Vec::new();
    for _ in 0..random.usize(0..7) {
        if random.u8(..4) == 0 {
            text.push(b'!');
        }
        let (path, _) = &tree.paths[random.usize(..tree.paths.len())];
        let mut line = match random.u8(..4) {
            0 => path.clone(),
            1 => path.rsplit('/').next().unwrap().to_owned(),
            _ => String::new(),
        };
        for _ in 0..random.usize(0..5) {
            let boundaries: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
            let at = random.choice(&boundaries).copied().unwrap_or(line.len());
            let at = if random.bool() { line.len() } else { at };
            line.insert_str(at, PIECES[random.usize(..PIECES.len())]);
        }
        text.extend(line.bytes());
        if random.u8(..4) == 0 {
            text.push(b'/');
        }
        text.extend_from_slice(match random.u8(..12) {
            0 => b"  \n",
            1 => b"\r\n",
            2 => b"\0x\n",
            3 => b"\n\n",
            _ => b"\n",
        });
    }
    if random.u8(..20) == 0 {
        text.splice(0..0, *b"\xef\xbb\xbf");
    }
    if random.u8(..4) == 0 {
        text.pop();
    }
    text
}

#[test]
fn a_file_is_ignored_exactly_where_git_ignores_it() {
    let mut random = Rng::with_seed(31);
    let (mut sets, mut compared, mut ignored) = (0, 0, 0);
    let sets_of_a_tree = rounds(15, 100);
    for _ in 0..15 {
        let tree = tree(&mut random);
        let top = tree.repository.top();
        let excludes = tree.repository.at("excludes");
        let config = format!("core.excludesFile={}", excludes.display());
        let mut asked = Vec::new();
        for (path, _) in &tree.paths {
            asked.extend(path.bytes().chain([0]));
        }
        for _ in 0..sets_of_a_tree {
            let case = [Case::Exact, Case::Folded][random.usize(..2)];
            let mut rules = Rules::new(case);
            let mut said = Vec::new();
            for file in [&excludes, &top.join(".git/info/exclude")] {
                let some = random.u8(..3) == 0;
                let text = if some {
                    patterns(&mut random, &tree)
                } else {
                    Vec::new()
                };
                fs::write(file, &text).unwrap();
                rules.add_general(&text);
                said.push((String::from("general"), text));
            }
            let mut folders = vec![String::new()];
            folders
                .extend((0..3).map(|_| tree.folders[random.usize(..tree.folders.len())].clone()));
            for folder in &folders {
                let text = patterns(&mut random, &tree);
                fs::write(top.join(folder).join(".gitignore"), &text).unwrap();
                rules.add(folder.as_bytes(), &text);
                said.push((folder.clone(), text));
            }
            let fold = format!("core.ignoreCase={}", case == Case::Folded);
            let arguments = [
                "-c",
                &config,
                "-c",
                &fold,
                "check-ignore",
                "--no-index",
                "-z",
                "--stdin",
            ];
            let printed = check(&tree.repository, &arguments, &asked);
            for (path, kind) in &tree.paths {
                let expected = printed.contains(path.as_bytes());
                let actual = rules.ignores(path.as_bytes(), *kind);
                let shown = said
                    .iter()
                    .map(|(at, text)| format!("{at}: {}", text.escape_ascii()));
                assert_eq!(actual, expected, "{path} {kind:?} {case:?}\n{}", {
                    shown.collect::<Vec<_>>().join("\n")
                });
                compared += 1;
                ignored += usize::from(expected);
            }
            sets += 1;
            for folder in folders {
                let _ = fs::remove_file(top.join(folder).join(".gitignore"));
            }
        }
    }
    assert!(
        sets == 15 * sets_of_a_tree && compared > 33 * sets,
        "{sets} sets, {compared} paths"
    );
    assert!(
        ignored > compared / 10 && ignored < compared / 10 * 9,
        "{ignored} of {compared}"
    );
}

/// The output of git for the paths that it ignores.
fn check(repository: &Repository, arguments: &[&str], asked: &[u8]) -> BTreeSet<Vec<u8>> {
    // It fails where it ignores none, so that one is added that it always does.
    let always = repository.top().join("always");
    let printed = {
        fs::create_dir_all(&always).unwrap();
        fs::write(always.join(".gitignore"), "it\n").unwrap();
        let asked = [b"always/it\0", asked].concat();
        feed(&repository.top(), arguments, &asked)
    };
    printed
        .split(|&byte| byte == 0)
        .map(<[u8]>::to_vec)
        .collect()
}
