//! The folders of an event, and the files below the root.

use crate::agent::{self, WrittenFile};
use crate::git::folder::is_absolute;
use crate::operation::Settings;
use crate::root::{self, Root};

/// The folders of an event.
pub(super) struct Folders {
    /// The settings of the operation, which works in the project.
    pub(super) settings: Settings,
    /// The project, as the agent says it.
    project: String,
    /// The folder that relative paths begin in.
    working: String,
}

impl Folders {
    /// Those of an event in this folder, whose relative paths begin in another one.
    pub(super) fn new(settings: &Settings, project: &str, working: &str) -> Self {
        let mut folders = Folders::of_project(settings, Some(project));
        working.clone_into(&mut folders.working);
        folders
    }

    /// The context of a hook for which only the project is given.
    pub(super) fn of_project(settings: &Settings, project: Option<&str>) -> Self {
        let project = project.unwrap_or(&settings.working).to_owned();
        let mut settings = settings.clone();
        if is_absolute(&settings.working) && is_absolute(&project) {
            settings.working.clone_from(&project);
        }
        Folders {
            settings,
            working: project.clone(),
            project,
        }
    }

    /// The files below the root, each by its path from there, without the program's own.
    pub(super) fn below(&self, root: &Root, files: &[WrittenFile]) -> Vec<(String, Option<bool>)> {
        let base = match is_absolute(root.path()) {
            true => root.path(),
            // The root is the folder that the host sees, which the agent calls the project.
            false => &self.project,
        };
        let below = files.iter().filter_map(|file| {
            let path = agent::below(base, &self.working, &file.path)?;
            let is_git = path == ".git" || path.starts_with(".git/");
            let is_state = path.starts_with(root::STATE_FOLDER);
            (!is_git && !is_state).then_some((path, file.is_new))
        });
        below.collect()
    }
}
