//! Objects of every kind of repository, read by parts of files, beside what git prints of them.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use fastrand::Rng;
use milepost::git::folder::resolve;
use milepost::git::id::{Hash, Id};
use milepost::git::objects::index::{PackIndex, SearchStep};
use milepost::git::objects::pack::{PackStep, PackedObjectReader};
use milepost::git::objects::{FileRange, GitObject, ObjectKind, alternates, commit, loose, tree};
use milepost::git::unreadable::Unreadable;
use milepost_property::rounds;

use super::{Repository, feed};

const LIMIT: usize = 8 << 20;

/// The objects of a repository, as an operation would look for them.
struct Objects {
    hash: Hash,
    folders: Vec<PathBuf>,
    packs: Vec<PathBuf>,
    /// The most bytes that were read of one pack for one object.
    most_read: Cell<u64>,
}

impl Objects {
    fn of(folder: &Path, hash: Hash) -> Objects {
        let mut folders = vec![folder.join("objects")];
        let mut next = 0;
        while let Some(folder) = folders.get(next).cloned() {
            next += 1;
            let listed = fs::read(folder.join("info/alternates")).unwrap_or_default();
            let named = alternates::folders(&listed).into_iter();
            let named: Vec<String> = named.map(Option::unwrap).collect();
            let folder = folder.to_str().unwrap();
            folders.extend(named.iter().map(|it| PathBuf::from(resolve(folder, it))));
        }
        let packs = folders
            .iter()
            .flat_map(|it| fs::read_dir(it.join("pack")).unwrap());
        let packs = packs.map(|entry| entry.unwrap().path());
        let is_index = |path: &PathBuf| path.extension().is_some_and(|it| it == "idx");
        Objects {
            hash,
            packs: packs.filter(is_index).collect(),
            folders,
            most_read: Cell::new(0),
        }
    }

    fn read(&self, id: Id) -> Result<Option<GitObject>, Unreadable> {
        for pack in &self.packs {
            if let Some(offset) = self.find(pack, id)? {
                return self.unpack(pack, offset).map(Some);
            }
        }
        for folder in &self.folders {
            if let Ok(bytes) = fs::read(folder.join(loose::path(&id))) {
                let object = loose::read(&bytes, LIMIT)?;
                let start = &bytes[..bytes.len().min(128)];
                let expected = (object.kind, object.bytes.len() as u64);
                assert_eq!(loose::header(start), Ok(expected));
                return Ok(Some(object));
            }
        }
        Ok(None)
    }

    fn find(&self, index: &Path, id: Id) -> Result<Option<u64>, Unreadable> {
        let mut file = File::open(index).unwrap();
        let index = PackIndex::open(&part_of(&mut file, PackIndex::HEAD), self.hash)?;
        let Some(mut search) = index.search(id) else {
            return Ok(None);
        };
        let mut part = search.part();
        loop {
            match search.read(&part_of(&mut file, part))? {
                SearchStep::Read(next) => part = next,
                SearchStep::At(offset) => return Ok(Some(offset)),
                SearchStep::Nowhere => return Ok(None),
            }
        }
    }

    fn unpack(&self, index: &Path, offset: u64) -> Result<GitObject, Unreadable> {
        let mut file = File::open(index.with_extension("pack")).unwrap();
        let mut reading = PackedObjectReader::new(self.hash, offset, LIMIT);
        let mut part = reading.part();
        loop {
            self.most_read
                .set(self.most_read.get().max(part.length.into()));
            part = match reading.read(&part_of(&mut file, part))? {
                PackStep::Done(object) => return Ok(object),
                PackStep::Read(next) => next,
                PackStep::Base(id) => match self.find(index, id)? {
                    Some(offset) => reading.base_at(offset),
                    None => {
                        let base = self.read(id)?.ok_or(Unreadable::Malformed)?;
                        return reading.base(base);
                    }
                },
            }
        }
    }
}

fn part_of(file: &mut File, part: FileRange) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(part.offset)).unwrap();
    file.take(part.length.into())
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

/// All objects that git has, by their ids.
fn by_git(folder: &Path) -> BTreeMap<String, (String, Vec<u8>)> {
    let arguments = ["cat-file", "--batch", "--batch-all-objects", "--buffer"];
    let printed = feed(folder, &arguments, b"");
    let mut rest = &printed[..];
    let mut objects = BTreeMap::new();
    while !rest.is_empty() {
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap();
        let head = std::str::from_utf8(&rest[..end]).unwrap();
        let [id, kind, size] = head.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{head}");
        };
        let size: usize = size.parse().unwrap();
        let bytes = rest[end + 1..][..size].to_vec();
        objects.insert(id.to_owned(), (kind.to_owned(), bytes));
        rest = &rest[end + 1 + size + 1..];
    }
    objects
}

/// Commits of files that change a little each time, some of them large or empty, by fast-import.
fn fill(repository: &Repository, random: &mut Rng, commits: usize) {
    let mut files: Vec<Vec<u8>> = vec![Vec::new(); 40];
    for file in &mut files {
        file.extend((0..random.usize(0..3_000)).map(|_| random.alphanumeric() as u8));
    }
    // Does not compress, and is longer than what is read at first.
    files[0] = (0..200_000).map(|_| random.u8(..)).collect();
    files[1].clear();
    let mut stream = Vec::new();
    for number in 0..commits {
        writeln!(
            stream,
            "commit refs/heads/main\ncommitter A <a@b> {number} +0000"
        )
        .unwrap();
        writeln!(stream, "data 4\nnext").unwrap();
        let changed = if number == 0 { 0..40 } else { 2..8 };
        for drawn in changed {
            let at = if number == 0 {
                drawn
            } else {
                random.usize(0..40)
            };
            let file = &mut files[at];
            if number > 0 {
                let offset = random.usize(0..=file.len());
                file.splice(offset..offset, format!("line {number}\n").bytes());
            }
            let mode = ["100644", "100755"][at % 2];
            let path = format!("d{}/e{}/file-{at}", at % 3, at % 5);
            writeln!(stream, "M {mode} inline {path}\ndata {}", file.len()).unwrap();
            stream.extend_from_slice(file);
            stream.push(b'\n');
        }
        writeln!(stream, "M 120000 inline link\ndata 4\nd0/x").unwrap();
    }
    writeln!(
        stream,
        "tag v1\nfrom refs/heads/main\ntagger A <a@b> 1 +0000\ndata 1\nx"
    )
    .unwrap();
    feed(
        &repository.top(),
        &["fast-import", "--quiet", "--force"],
        &stream,
    );
    repository.git(&["reset", "-q", "--hard"]);
}

/// Reads every object, and one that is not there.
fn assert_agrees(folder: &Path, git_folder: &Path, hash: Hash, note: &str) -> usize {
    let objects = Objects::of(git_folder, hash);
    let expected = by_git(folder);
    for (digits, (kind, bytes)) in &expected {
        let id = Id::from_digits(digits.as_bytes()).unwrap();
        let object = objects
            .read(id)
            .unwrap_or_else(|why| panic!("{note}: {digits}: {why:?}"));
        let object = object.unwrap_or_else(|| panic!("{note}: {digits} was not found"));
        assert_eq!(object.kind.word(), kind, "{note}: {digits}");
        assert!(object.bytes == *bytes, "{note}: {digits}");
        assert_eq!(object.id(hash), id, "{note}");
    }
    let absent = Id::new(hash, &vec![0x5a; hash.bytes()]).unwrap();
    assert_eq!(objects.read(absent), Ok(None), "{note}");
    expected.len()
}

#[test]
fn an_object_is_read_as_git_reads_it() {
    let mut random = Rng::with_seed(21);
    let mut total = 0;
    let commits = rounds(30, 120);
    for options in [&[][..], &["--object-format=sha256"]] {
        let repository = Repository::unborn(options);
        let hash = repository.hash();
        fill(&repository, &mut random, commits);
        let top = repository.top();
        let git_folder = top.join(".git");
        let mut agrees = |note: &str| total += assert_agrees(&top, &git_folder, hash, note);
        agrees("as imported");
        repository.git(&["-c", "pack.depth=50", "repack", "-q", "-adf", "--window=50"]);
        agrees("deltas by offset");
        repository.git(&[
            "-c",
            "repack.useDeltaBaseOffset=false",
            "repack",
            "-q",
            "-adf",
        ]);
        agrees("deltas by id");
        if hash == Hash::Sha1 {
            repository.git(&["-c", "pack.indexVersion=1", "repack", "-q", "-adf"]);
            agrees("the first version of an index");
        }
        repository.git(&["repack", "-q", "-adf", "--depth=4000", "--window=200"]);
        agrees("long chains");
        large_offsets(&git_folder);
        agrees("offsets in the table of large ones");
        repository.add(&["new/a", "new/b"]);
        repository.git(&["commit", "-q", "-m", "loose"]);
        repository.git(&[
            "-c",
            "core.looseCompression=0",
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "x",
        ]);
        agrees("some loose");
        repository.git(&["repack", "-q", "-d"]);
        repository.git(&["multi-pack-index", "write"]);
        repository.git(&["commit-graph", "write"]);
        agrees("two packs and an index of both");
        let at = |name: &str| repository.at(name).to_str().unwrap().to_owned();
        repository.git(&["clone", "-q", "--shared", &at("main"), &at("borrows")]);
        let borrows = repository.at("borrows");
        total += assert_agrees(&borrows, &borrows.join(".git"), hash, "alternates");
        unpack(&repository);
        total += assert_agrees(&top, &git_folder, hash, "all loose");
    }
    assert!(total > 160 * commits, "{total} objects");
}

/// Writes the index of the only pack again, so that it has nearly all offsets in its other table.
fn large_offsets(git_folder: &Path) {
    let pack = git_folder.join("objects/pack");
    let packs = fs::read_dir(&pack).unwrap().map(|it| it.unwrap().path());
    let pack = packs
        .into_iter()
        .find(|it| it.extension().is_some_and(|it| it == "pack"));
    let pack = pack.unwrap();
    fs::remove_file(pack.with_extension("idx")).unwrap();
    let name = pack.to_str().unwrap();
    feed(
        git_folder,
        &["index-pack", "--index-version=2,0x40", name],
        b"",
    );
}

fn unpack(repository: &Repository) {
    let folder = repository.top().join(".git/objects/pack");
    let moved = repository.at("moved");
    fs::rename(&folder, &moved).unwrap();
    fs::create_dir(&folder).unwrap();
    for entry in fs::read_dir(moved).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "pack") {
            let pack = fs::read(path).unwrap();
            feed(&repository.top(), &["unpack-objects", "-q"], &pack);
        }
    }
}

#[test]
fn every_file_of_head_is_found_with_its_mode() {
    let mut random = Rng::with_seed(22);
    for options in [&[][..], &["--object-format=sha256"]] {
        let repository = Repository::unborn(options);
        fill(&repository, &mut random, 30);
        let module = format!("160000,{},module", repository.git(&["rev-parse", "HEAD"]));
        repository.git(&["update-index", "--add", "--cacheinfo", &module]);
        repository.git(&["commit", "-q", "-m", "module"]);
        let hash = repository.hash();
        let objects = Objects::of(&repository.top().join(".git"), hash);
        let head = repository.git(&["rev-parse", "HEAD"]);
        let read = |id, kind| {
            let object = objects.read(id).unwrap().unwrap();
            assert_eq!(object.kind, kind);
            object.bytes
        };
        let head = read(
            Id::from_digits(head.as_bytes()).unwrap(),
            ObjectKind::Commit,
        );
        let mut lines = Vec::new();
        let mut folders = vec![(Vec::new(), commit::tree(&head, hash).unwrap())];
        while let Some((folder, id)) = folders.pop() {
            for entry in tree::entries(&read(id, ObjectKind::Tree), hash).unwrap() {
                let mut path = [&folder[..], entry.name].concat();
                let id = entry.id.digits();
                let shown = String::from_utf8_lossy(&path).into_owned();
                lines.push(format!("{:06o} {id}\t{shown}", entry.mode));
                if entry.mode == tree::FOLDER {
                    path.push(b'/');
                    folders.push((path, entry.id));
                }
            }
        }
        let listed = repository.git(&["ls-tree", "-r", "-t", "HEAD"]);
        let without_kind = |line: &str| {
            let parts: Vec<&str> = line.splitn(3, ' ').collect();
            format!("{} {}", parts[0], parts[2])
        };
        let mut expected: Vec<String> = listed.lines().map(without_kind).collect();
        lines.sort();
        expected.sort();
        assert!(expected.len() > 40);
        assert_eq!(lines, expected);
    }
}

#[test]
fn a_damaged_object_is_not_taken_for_the_one_that_was_asked_for() {
    let mut random = Rng::with_seed(23);
    let repository = Repository::unborn(&[]);
    fill(&repository, &mut random, 6);
    repository.git(&["repack", "-q", "-adf"]);
    let folder = repository.top().join(".git/objects/pack");
    let ids: Vec<Id> = by_git(&repository.top())
        .into_keys()
        .map(|digits| Id::from_digits(digits.as_bytes()).unwrap())
        .collect();
    let objects = Objects::of(&repository.top().join(".git"), Hash::Sha1);
    let mut damaged = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path
            .extension()
            .is_some_and(|it| it == "idx" || it == "pack")
        {
            continue;
        }
        let whole = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        for round in 0..1_500 {
            let mut bytes = whole.clone();
            let at = random.usize(..bytes.len());
            match round % 3 {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1 << random.u8(..8),
                _ => bytes[at] = random.u8(..),
            }
            fs::write(&path, &bytes).unwrap();
            for _ in 0..3 {
                let id = ids[random.usize(..ids.len())];
                match objects.read(id) {
                    Ok(Some(object)) if object.id(Hash::Sha1) == id => {}
                    _ => damaged += 1,
                }
            }
        }
        fs::write(&path, &whole).unwrap();
    }
    assert!(damaged > 500, "{damaged}");
}

#[test]
fn a_damaged_loose_object_is_refused_without_a_panic() {
    let repository = Repository::new(&[]);
    repository.add(&["a"]);
    let id = repository.git(&["rev-parse", ":a"]);
    let id = Id::from_digits(id.as_bytes()).unwrap();
    let file = repository.top().join(".git/objects").join(loose::path(&id));
    let whole = fs::read(file).unwrap();
    assert_eq!(loose::read(&whole, 4).unwrap().bytes, b"text");
    assert_eq!(loose::read(&whole, 3), Err(Unreadable::TooLarge));
    for length in 0..whole.len() {
        assert!(loose::read(&whole[..length], LIMIT).is_err(), "{length}");
    }
    for bit in 0..whole.len() * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Ok(object) = loose::read(&flipped, LIMIT) {
            let is_same = object.bytes == b"text" && object.kind == ObjectKind::Blob;
            assert_eq!(object.id(Hash::Sha1) == id, is_same);
        }
    }
}

#[test]
fn a_blob_has_the_name_that_git_gives_it() {
    let mut random = Rng::with_seed(24);
    for options in [&[][..], &["--object-format=sha256"]] {
        let repository = Repository::unborn(options);
        let mut paths = Vec::new();
        let mut expected = Vec::new();
        for number in 0..500 {
            let bytes: Vec<u8> = (0..random.usize(0..2_000)).map(|_| random.u8(..)).collect();
            let name = format!("f{number}");
            fs::write(repository.top().join(&name), &bytes).unwrap();
            writeln!(paths, "{name}").unwrap();
            let kind = ObjectKind::Blob;
            expected.push(GitObject { kind, bytes }.id(repository.hash()).digits());
        }
        let arguments = ["hash-object", "--no-filters", "--stdin-paths"];
        let printed = feed(&repository.top(), &arguments, &paths);
        let printed = String::from_utf8(printed).unwrap();
        assert_eq!(printed.lines().collect::<Vec<_>>(), expected);
    }
}
