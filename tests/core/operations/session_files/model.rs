//! Work trees that chance makes: one is kept, becomes another one, and is brought back.
//!
//! `MILEPOST_SESSION_TREES` says how many rounds there are.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use fastrand::Rng;

use super::tree::{Tree, is_within};
use super::worktree::{TempWorktree, list, remove};

/// So many rounds by default.
const ROUNDS: usize = 28;

/// And so many where everything is tested.
const ALL_ROUNDS: usize = 70;

const FOLDERS: [&str; 10] = [
    "", "", "a/", "a/b/", "src/", "d e/", "ü/", "a/b/c/d/", "ign/", "out.log/",
];
const NAMES: [&str; 13] = [
    "a",
    "b",
    "src",
    "B",
    "x.log",
    "run.sh",
    "two\nlines",
    "q\"uo'te $x",
    " blank ",
    ".hidden",
    "世.txt",
    "-n",
    "y.txt",
];
/// Paths that are not kept, or are kept by name only.
const SPECIAL: [&str; 5] = [".env", "a/key.pem", "back\\slash", "src/t.ok", "pipe"];
const IGNORES: [&str; 5] = [
    "*.log\nign/\n",
    "*.log\n",
    "ign\nb\n",
    "",
    "*.txt\n!世.txt\n",
];

/// The folder of the worktree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Sha256,
    Linked,
    Below,
    NoRepository,
    Unborn,
    NoModes,
}

const KINDS: [Kind; 7] = [
    Kind::Plain,
    Kind::Sha256,
    Kind::Linked,
    Kind::Below,
    Kind::NoRepository,
    Kind::Unborn,
    Kind::NoModes,
];

fn may(worktree: &TempWorktree, arguments: &[&str]) {
    if worktree.top.join(".git").exists() {
        let output = crate::git::with_identity(&worktree.root)
            .args(arguments)
            .output();
        output.unwrap();
    }
}

fn made(kind: Kind, random: &mut Rng) -> TempWorktree {
    let options: &[&str] = match kind {
        Kind::Sha256 => &["--object-format=sha256"],
        _ => &[],
    };
    let mut worktree = TempWorktree::new(options);
    match kind {
        Kind::NoRepository => remove(&worktree.top.join(".git")),
        Kind::NoModes => drop(worktree.git(&["config", "core.fileMode", "false"])),
        Kind::Below => worktree.root = worktree.top.join("below"),
        _ => {}
    }
    fs::create_dir_all(&worktree.root).unwrap();
    worktree.write(".gitignore", IGNORES[0]);
    for _ in 0..30 {
        change(&worktree, random);
    }
    if matches!(kind, Kind::NoRepository | Kind::Unborn) {
        return worktree;
    }
    worktree.write("kept", "x");
    worktree.write("../beside", "x");
    worktree.commit();
    if random.bool() {
        worktree.git(&["repack", "-q", "-adf"]);
    }
    if kind == Kind::Linked {
        let linked = worktree.sibling("linked");
        worktree.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
        worktree.top.clone_from(&linked);
        worktree.root = linked;
    }
    worktree
}

fn any_path(random: &mut Rng) -> String {
    if random.u8(..60) == 0 {
        return SPECIAL[random.usize(..SPECIAL.len())].to_owned();
    }
    let folder = FOLDERS[random.usize(..FOLDERS.len())];
    [folder, NAMES[random.usize(..NAMES.len())]].concat()
}

fn any_bytes(random: &mut Rng) -> Vec<u8> {
    match random.u16(..400) {
        0 => {
            // Of two pieces.
            let mut bytes = vec![b'x'; (1 << 20) + random.usize(..9)];
            bytes[0] = random.u8(..);
            bytes
        }
        1..6 => ["key = ghp_", "1234567890abcdefghijklmnopqrstuvwxyzAB\n"]
            .concat()
            .into_bytes(),
        6..60 => Vec::new(),
        60..120 => (0..random.usize(..90)).map(|_| random.u8(..)).collect(),
        120..150 => b"one\r\ntwo\r\n".repeat(random.usize(1..4)),
        _ => format!("line {}\n", random.u8(..30)).into_bytes(),
    }
}

/// Makes room for a path: a file in the way of its folder goes, or a folder that stands there.
fn has_room(at: &Path, random: &mut Rng) -> bool {
    let is_sure = random.bool();
    let above: Vec<&Path> = at.parent().unwrap().ancestors().collect();
    for folder in above.into_iter().rev() {
        match folder.symlink_metadata() {
            Ok(found) if !found.is_dir() => {
                if !is_sure {
                    return false;
                }
                fs::remove_file(folder).unwrap();
            }
            _ => {}
        }
    }
    if at.is_dir() && !at.is_symlink() {
        if !is_sure || at.join(".git").exists() {
            return false;
        }
        fs::remove_dir_all(at).unwrap();
    }
    fs::create_dir_all(at.parent().unwrap()).unwrap();
    true
}

/// Changes one thing in the work tree or in the index.
fn change(worktree: &TempWorktree, random: &mut Rng) -> String {
    let path = any_path(random);
    let at = worktree.at(&path);
    let is_file = at.symlink_metadata().is_ok_and(|it| it.is_file());
    let said = match random.u8(..40) {
        0..16 => {
            if !has_room(&at, random) {
                return format!("no room for {path}");
            }
            remove(&at);
            match path.as_str() {
                "pipe" => drop(Command::new("mkfifo").arg(&at).status().unwrap()),
                _ => fs::write(&at, any_bytes(random)).unwrap(),
            }
            "write"
        }
        16..19 if is_file => {
            fs::write(&at, any_bytes(random)).unwrap();
            "write into"
        }
        19..23 => {
            remove(&at);
            "remove"
        }
        23 => {
            let folder = FOLDERS[random.usize(2..FOLDERS.len())];
            remove(&worktree.at(folder.trim_end_matches('/')));
            "remove the folder of"
        }
        24..26 if is_file => {
            let mode = fs::metadata(&at).unwrap().permissions().mode() ^ 0o111;
            fs::set_permissions(&at, PermissionsExt::from_mode(mode)).unwrap();
            "mode"
        }
        26 if is_file => {
            let mode = [0o600, 0o700, 0o444, 0o664][random.usize(..4)];
            fs::set_permissions(&at, PermissionsExt::from_mode(mode)).unwrap();
            "other mode"
        }
        27..29 => {
            if !has_room(&at, random) {
                return format!("no room for {path}");
            }
            remove(&at);
            let targets = ["a", "nowhere", "../..", "/", "src"];
            symlink(targets[random.usize(..targets.len())], &at).unwrap();
            "link"
        }
        29..31 if at.symlink_metadata().is_ok() => {
            let to = worktree.at(&any_path(random));
            if to.starts_with(&at) || at.starts_with(&to) || !has_room(&to, random) {
                return format!("not renamed {path}");
            }
            if at.symlink_metadata().is_ok() {
                remove(&to);
                fs::rename(&at, &to).unwrap();
            }
            "rename"
        }
        31 => {
            if has_room(&at, random) {
                remove(&at);
                fs::create_dir(&at).unwrap();
            }
            "empty folder"
        }
        32 => {
            worktree.write(".gitignore", IGNORES[random.usize(..IGNORES.len())]);
            ".gitignore"
        }
        33 => {
            may(worktree, &["add", "-A"]);
            "add all"
        }
        34 => {
            may(worktree, &["add", "-f", "--", &path]);
            "add"
        }
        35 => {
            may(worktree, &["rm", "-q", "-r", "-f", "--cached", "--", &path]);
            "rm --cached"
        }
        36 => {
            may(worktree, &["reset", "-q"]);
            "reset"
        }
        37 => {
            may(worktree, &["add", "-N", "--", &path]);
            "add -N"
        }
        38 => {
            let nested = worktree.at("nested");
            match nested.exists() {
                true if random.bool() => remove(&nested),
                true => remove(&nested.join(".git")),
                false => {
                    fs::create_dir(&nested).unwrap();
                    crate::git::git(&nested, &["init", "-q", "--template="]);
                    crate::git::git(&nested, &["commit", "-q", "--allow-empty", "-m", "x"]);
                    fs::write(nested.join("in"), "in").unwrap();
                    fs::write(nested.join("x.txt"), "in").unwrap();
                }
            }
            "nested"
        }
        _ => "nothing at",
    };
    format!("{said} {path}")
}

fn changes(worktree: &TempWorktree, random: &mut Rng, most: usize) -> Vec<String> {
    let count = random.usize(..most);
    (0..count).map(|_| change(worktree, random)).collect()
}

/// The result of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RestoreOutcome {
    Restored,
    /// After what would have been lost was named.
    WithLoss,
    Refused,
}

struct Round<'a> {
    worktree: &'a TempWorktree,
    kind: Kind,
    number: usize,
    steps: Vec<String>,
}

impl Round<'_> {
    fn note(&self, more: &str) -> String {
        let Round {
            kind,
            number,
            steps,
            ..
        } = self;
        format!("round {number}, {kind:?}: {more}\n{steps:#?}")
    }

    /// Fails with a proof where files are not as they have to be.
    #[track_caller]
    fn check(&self, is_so: bool, what: fmt::Arguments<'_>) {
        if !is_so {
            let Round { kind, number, .. } = self;
            milepost_property::report(format_args!("round {number}, {kind:?}: {what}"));
            panic!("{}", self.note(&what.to_string()));
        }
    }

    fn run(&mut self, random: &mut Rng) -> RestoreOutcome {
        let worktree = self.worktree;
        self.steps.extend(changes(worktree, random, 6));
        let then = worktree.tree();
        let ignored_then = worktree.ignored();
        let (id, left_out) = worktree.create();
        self.assert_expected(&then, &left_out);
        self.assert_untouched(&then, "creating");
        self.steps.push("KEPT".to_owned());
        self.steps.extend(changes(worktree, random, 10));

        let now = worktree.tree();
        let git_now = worktree.of_git();
        let ignored_now = worktree.ignored();
        let all_now = Tree::of_all(&worktree.root);
        let mut plan = worktree.plan(&id, &[]);
        let all_planned = Tree::of_all(&worktree.root);
        self.check(all_planned == all_now, format_args!("a dry run wrote"));

        let mut lost: Vec<String> = Vec::new();
        if !plan.refusals.is_empty() {
            let (code, message) = worktree.refused(&id, &[]);
            assert_eq!(code, "usage", "{message}");
            self.assert_untouched(&now, "a refused restore");
            lost.extend(plan.refusals.iter().filter_map(|it| not_kept(it)));
            let paths: Vec<&str> = lost.iter().map(String::as_str).collect();
            plan = worktree.plan(&id, &[("lose", list(&paths))]);
            if !plan.refusals.is_empty() {
                let is_in_the_way = |it: &String| {
                    it.contains("is in the way") || it.contains("a pipe, a device or a socket")
                };
                let are = plan.refusals.iter().all(is_in_the_way);
                assert!(are, "{}", self.note(&format!("{:?}", plan.refusals)));
                return RestoreOutcome::Refused;
            }
        }
        let paths: Vec<&str> = lost.iter().map(String::as_str).collect();
        let more = [("lose", list(&paths)), ("plan", plan.id.as_str().into())];
        let undo = worktree.restore(&id, &more);

        let back = worktree.tree();
        // The announced paths are the touched ones.
        let announced: BTreeSet<String> = plan.paths().iter().map(|it| (*it).into()).collect();
        assert_eq!(back.touched(&now), announced, "{}", self.note("touched"));
        assert_eq!(undo.is_some(), !announced.is_empty());
        // The state of before is there again.
        // Another repository is no change.
        let is_foreign = has_foreign(worktree, self.kind);
        let is_exempt = |path: &str| {
            if is_foreign && is_within(path, "nested") {
                return true;
            }
            let ignored = ignored_then.iter().chain(&ignored_now);
            let left_out = left_out.iter().chain(&plan.left).map(|(path, _)| path);
            let mut all = ignored.chain(left_out);
            all.any(|it| is_within(path, it))
        };
        let mut differing = back.differing(&then);
        let is_special = |it: &String| now.nodes.get(it).is_some_and(|node| node.kind == '?');
        // Where git takes no modes from the files, nothing does.
        let has_modes = self.kind != Kind::NoModes;
        let bytes = |tree: &Tree, path: &str| tree.nodes.get(path).map(|it| it.bytes.clone());
        differing.retain(|it| has_modes || bytes(&back, it) != bytes(&then, it));
        differing.retain(|it| !is_exempt(it) && !is_special(it));
        self.check(differing.is_empty(), format_args!("{differing:?} {plan:?}"));
        // A folder stays that has another repository in it, though git tracks files there.
        let is_foreign_folder = |it: &str| is_foreign && it == "nested";
        let mut new = back.empty();
        new.retain(|it| !then.folders.contains(it) && !now.empty().contains(it));
        new.retain(|it| !is_foreign_folder(it));
        self.check(new.is_empty(), format_args!("empty: {new:?} {plan:?}"));
        self.assert_of_git(&git_now);
        // Files that are left unchanged may be those that were not there, and so may those that were out of sight.
        let mut mismatches = worktree.mismatches(&id);
        mismatches.retain(|(path, _)| !is_exempt(path));
        assert!(
            mismatches.is_empty(),
            "{}",
            self.note(&format!("{mismatches:?} {plan:?}"))
        );

        if let Some(undo) = undo {
            let undoing = worktree.plan(&undo, &[]);
            assert!(
                undoing.refusals.is_empty(),
                "{}",
                self.note(&format!("{:?}", undoing.refusals))
            );
            worktree.restore(&undo, &[]);
            let mut differing = worktree.tree().differing(&now);
            let undone = worktree.tree();
            differing.retain(|it| has_modes || bytes(&undone, it) != bytes(&now, it));
            // Nor what stands where something was that is lost.
            differing.retain(|it| !undoing.left.iter().any(|(left, _)| left == it));
            differing.retain(|it| !lost.iter().any(|lost| is_within(it, lost)));
            self.check(
                differing.is_empty(),
                format_args!("not undone: {differing:?} {plan:?} {undoing:?}"),
            );
            self.assert_of_git(&git_now);
            assert!(
                worktree.is_match(&undo),
                "{}",
                self.note("no match of the undo")
            );
        }
        match lost.is_empty() {
            true => RestoreOutcome::Restored,
            false => RestoreOutcome::WithLoss,
        }
    }

    fn assert_untouched(&self, before: &Tree, what: &str) {
        let touched = self.worktree.tree().touched(before);
        self.check(
            touched.is_empty(),
            format_args!("{what} touched {touched:?}"),
        );
    }

    fn assert_of_git(&self, before: &Tree) {
        let touched = self.worktree.of_git().touched(before);
        self.check(touched.is_empty(), format_args!("git's {touched:?}"));
    }

    /// Nothing is left out that can be kept.
    fn assert_expected(&self, tree: &Tree, left_out: &[(String, String)]) {
        for (path, reason) in left_out {
            let is_expected = match tree.nodes.get(path) {
                Some(node) => {
                    let has_secret = node.bytes.starts_with(b"key = ghp_");
                    let is_named = [".env", "key.pem"].iter().any(|it| path.ends_with(it));
                    has_secret || is_named || path.contains('\\') || node.kind == '?'
                }
                // Such a path cannot be called empty.
                None => path.starts_with("nested") || path.contains('\\'),
            };
            assert!(is_expected, "{}", self.note(&format!("{path} {reason}")));
        }
    }
}

/// Returns whether `nested` is another repository, or git takes it for one that is not there.
fn has_foreign(worktree: &TempWorktree, kind: Kind) -> bool {
    if worktree.at("nested/.git").exists() {
        return true;
    }
    if kind == Kind::NoRepository {
        return false;
    }
    let tracked = crate::git::git(&worktree.root, &["ls-files", "--stage", "--", "nested"]);
    tracked.starts_with("160000 ")
}

/// The path in a refusal for what could not be brought back.
fn not_kept(refusal: &str) -> Option<String> {
    let rest = refusal.strip_prefix("The present content of ")?;
    let (path, _) = rest.split_once(" would be lost for good")?;
    Some(path.to_owned())
}

#[test]
fn a_restored_work_tree_is_the_kept_one_and_the_undo_brings_back_the_one_before() {
    let rounds = std::env::var("MILEPOST_SESSION_TREES");
    let rounds = rounds.map_or(milepost_property::rounds(ROUNDS, ALL_ROUNDS), |it| {
        it.parse().unwrap()
    });
    let seed = std::env::var("MILEPOST_SESSION_SEED");
    let mut random = Rng::with_seed(seed.map_or(14, |it| it.parse().unwrap()));
    let (mut back, mut with_loss) = (0, 0);
    let each = 29.min(rounds.div_ceil(KINDS.len()));
    let mut number = 0;
    while number < rounds {
        let kind = KINDS[number / each % KINDS.len()];
        let worktree = made(kind, &mut random);
        for _ in 0..each {
            number += 1;
            let mut round = Round {
                worktree: &worktree,
                kind,
                number,
                steps: Vec::new(),
            };
            match round.run(&mut random) {
                RestoreOutcome::Restored => back += 1,
                RestoreOutcome::WithLoss => with_loss += 1,
                RestoreOutcome::Refused => {}
            }
            if random.u8(..6) == 0 {
                may(&worktree, &["add", "-A"]);
                may(&worktree, &["commit", "-q", "-m", "more"]);
            }
        }
    }
    assert!(
        back * 10 > number * 7,
        "{number} rounds: {back} back, {with_loss} with a loss that was agreed to"
    );
}
