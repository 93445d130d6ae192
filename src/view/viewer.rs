//! The state that every question is answered from: the files, the operations over them, and the index of all
//! checkpoints.

use std::cell::RefCell;
use std::rc::Rc;

use crate::blocking::effect::Io;
use crate::blocking::operation::Settings;
use crate::blocking::operation::request::ParsedRequest;
use crate::blocking::root::{self, STATE_FOLDER};
use crate::blocking::store::{Retention, Storage};
use crate::effect::Sync;
use crate::error::{Error, Warning};
use crate::integrations;
use crate::json::{Json, Object};

use super::files::{ROOT, ViewFiles};
use super::frames::{Frame, milliseconds};
use super::index::{ReadContext, RunIndex};
use super::meta::Meta;
use super::missing_files::FileRequest;
use super::repository;

/// The files of a place, and what is known of them.
#[derive(Debug)]
pub(super) struct Viewer {
    files: Rc<RefCell<ViewFiles>>,
    io: Io,
    meta: Meta,
    index: RunIndex,
    warnings: Vec<Warning>,
}

impl Viewer {
    /// One that has no files yet.
    pub(super) fn new() -> Self {
        let files = Rc::<RefCell<ViewFiles>>::default();
        let host = Rc::clone(&files);
        Viewer {
            io: Io::new(move |effect| host.borrow_mut().perform(effect)),
            files,
            meta: Meta::default(),
            index: RunIndex::default(),
            warnings: Vec::new(),
        }
    }

    /// Takes over what a frame says.
    pub(super) fn apply(&mut self, frame: Frame) {
        match frame {
            Frame::Meta(sent) => self.apply_meta(Meta::new(sent)),
            Frame::Done => {}
            frame => {
                let path = frame.path().to_owned();
                let is_about_names = matches!(frame, Frame::Listed { .. } | Frame::Folder { .. });
                let is_sound = !matches!(frame, Frame::Folder { fault: Some(_), .. });
                self.files.borrow_mut().apply(frame);
                let state = self.meta.state();
                match is_about_names && is_folder_of_all(&path, state) {
                    // Its names were sent one by one.
                    true => self.index.touch_waiting(),
                    false => {
                        let is_folder = is_about_names && is_sound;
                        self.index
                            .touch(&path, state, &self.files.borrow(), is_folder);
                    }
                }
            }
        }
    }

    /// Makes of what is known of the place what the core reads it from.
    fn apply_meta(&mut self, meta: Meta) {
        let mut files = self.files.borrow_mut();
        files.remove(".git");
        let tracked = meta.tracked();
        if meta.head().is_some() || !tracked.is_empty() {
            files.make(".git/HEAD", repository::head(meta.head()));
            files.make(".git/index", repository::index(&tracked));
        }
        let commands = meta.commands();
        if !commands.is_empty() && files.bytes(integrations::FILE).is_none() {
            let settings = Object::new().with("commands", commands);
            files.make(integrations::FILE, settings.to_document().into_bytes());
            self.index.touch_others();
        }
        let is_elsewhere = self.meta.state() != meta.state();
        self.meta = meta;
        if is_elsewhere {
            self.index.touch_all(self.meta.state(), &files);
        }
        drop(files);
        let settings = self.settings();
        let context = ReadContext {
            io: &self.io,
            settings: &settings,
            files: &self.files,
        };
        self.index.settle(context, &self.meta);
    }

    /// All checkpoints, as far as they were read.
    pub(super) fn index(&mut self) -> &mut RunIndex {
        &mut self.index
    }

    /// Returns whether a run of this command has a feature.
    pub(super) fn has_features(&self, command: &str) -> bool {
        let mut targets = self.index.all().map(|facts| &facts.target);
        targets.any(|target| target.command == command && target.feature.is_some())
    }

    /// Returns whether all names in the folder of documents are known.
    pub(super) fn is_listed(&self) -> bool {
        self.files.borrow().is_listed(self.meta.state())
    }

    /// Reads checkpoints that have changed, until so many bytes of documents were read.
    ///
    /// # Errors
    ///
    /// Those of the folder of all.
    pub(super) fn read_changed(&mut self, bytes: u64) -> Result<(), Error> {
        let settings = self.settings();
        let context = ReadContext {
            io: &self.io,
            settings: &settings,
            files: &self.files,
        };
        self.index.read(context, bytes)
    }

    /// Refuses a path of checkpoints that is not a folder, as listing them does.
    ///
    /// # Errors
    ///
    /// Those of the folder of all.
    pub(super) fn expect_folder(&self) -> Result<(), Error> {
        let settings = self.settings();
        let root = root::locate(&self.io, &settings)?;
        root::state_folder(&root, &settings)?.check(&self.io)
    }

    /// The known facts of the place.
    pub(super) fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The handle that operations ask for effects over.
    pub(super) fn io(&self) -> Io {
        self.io.clone()
    }

    /// Returns the settings of operations.
    pub(super) fn settings(&self) -> Settings {
        let state = self.meta.state();
        Settings {
            root: Some(ROOT.to_owned()),
            git_root: None,
            working: ROOT.to_owned(),
            alias: None,
            dir: (state != STATE_FOLDER).then(|| state.to_owned()),
            durability: Sync::Lazy,
            history: Retention::default(),
            storage: Storage::Files,
        }
    }

    /// Runs the operation of a request, which has no place. Its warnings become those of the answer.
    ///
    /// # Errors
    ///
    /// Those of the operation.
    pub(super) fn run(&mut self, mut request: Object) -> Result<Json, Error> {
        let mut place = Object::new().with("root", ROOT).with("working", ROOT);
        if self.meta.state() != STATE_FOLDER {
            place.set("dir", self.meta.state());
        }
        request.set("place", place);
        let reply = ParsedRequest::read(request.to_line().as_bytes()).reply(&self.io);
        self.warnings.extend(reply.warnings);
        reply.result
    }

    /// Adds warnings to those of the answer.
    pub(super) fn warn(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        self.warnings.extend(warnings);
    }

    /// Before a question: what is now, as the question says it.
    pub(super) fn begin(&mut self, request: &Object) {
        self.warnings.clear();
        if request.get("now").is_some() {
            self.files.borrow_mut().now_ms = milliseconds(request, "now");
        }
    }

    /// After a question: what it asked for in vain, and what was noticed.
    pub(super) fn end(&mut self) -> (Vec<FileRequest>, Vec<Warning>) {
        let requests = self.files.borrow_mut().take_requests();
        (requests, std::mem::take(&mut self.warnings))
    }
}

/// Returns whether a path is that of the documents, of a folder above them, or of the side folder of all.
fn is_folder_of_all(path: &str, state: &str) -> bool {
    let below = state.strip_prefix(path);
    below.is_some_and(|below| path.is_empty() || below.is_empty() || below.starts_with('/'))
        || path.strip_prefix(state) == Some("/.milepost")
}
