//! PostgreSQL, as Debian packages it: its server programs lie beside the PATH.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Found, debian};

/// Where Debian has the programs, one folder for each version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// The programs that make a server and start it.
const PROGRAMS: [&str; 2] = ["initdb", "pg_ctl"];

/// Finds the folder of the programs; as root on Debian, installs them.
pub(crate) fn postgres() -> Found {
    if let Some(folder) = newest() {
        return Found::At(folder);
    }
    let found = debian::find("PostgreSQL", &["postgresql"], PROGRAMS);
    if let Some(folder) = newest() {
        return Found::At(folder);
    }
    match found {
        [Found::At(program), Found::At(_)] => match program.parent() {
            Some(folder) => Found::At(folder.to_path_buf()),
            None => Found::Missing(format!("{} is in no folder", program.display())),
        },
        [Found::Missing(why), _] | [_, Found::Missing(why)] => Found::Missing(why),
    }
}

/// The programs of the newest version that is installed.
fn newest() -> Option<PathBuf> {
    let versions = fs::read_dir(VERSIONS).ok()?.flatten();
    let numbered = versions.filter_map(|version| {
        let number: u32 = version.file_name().to_str()?.parse().ok()?;
        Some((number, version.path().join("bin")))
    });
    let usable = numbered.filter(|(_, folder)| has_all(folder));
    usable.max_by_key(|(number, _)| *number).map(|it| it.1)
}

fn has_all(folder: &Path) -> bool {
    PROGRAMS
        .iter()
        .all(|program| folder.join(program).is_file())
}
