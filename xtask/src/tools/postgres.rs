//! PostgreSQL, as Debian packages it: its server programs lie beside the PATH.

use std::fs;
use std::path::{Path, PathBuf};

use super::{ToolLookup, debian};

/// The folder of the programs on Debian, one folder for each version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// The programs that make a server and start it.
const PROGRAMS: [&str; 2] = ["initdb", "pg_ctl"];

/// Finds the folder of the programs; as root on Debian, installs them.
pub(crate) fn postgres() -> ToolLookup {
    if let Some(folder) = newest() {
        return ToolLookup::At(folder);
    }
    let found = debian::find("PostgreSQL", &["postgresql"], PROGRAMS);
    if let Some(folder) = newest() {
        return ToolLookup::At(folder);
    }
    match found {
        [ToolLookup::At(program), ToolLookup::At(_)] => match program.parent() {
            Some(folder) => ToolLookup::At(folder.to_path_buf()),
            None => ToolLookup::Missing(format!("{} is in no folder", program.display())),
        },
        [ToolLookup::Missing(why), _] | [_, ToolLookup::Missing(why)] => ToolLookup::Missing(why),
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
