//! A host of the smallest kind: files in a map, behind the one function that the wasm calls.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use js_sys::{Reflect, global};
use milepost::surface::js::{operate, reserve_outcome};
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

use crate::ffi::{get, put, reply, write};

/// Faults and kinds by their numbers, as `src/surface/js/host.rs` has them.
const NOT_FOUND: u32 = 1;
const ABSENT: i32 = 0;
const FILE: i32 = 1;
const FOLDER: i32 = 2;

/// The world that operations find and leave.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    folders: BTreeSet<String>,
    /// The number of effects that were performed.
    pub(crate) effects: usize,
    /// The operation that is run while the first of them is performed.
    pub(crate) during: Option<Box<dyn FnOnce()>>,
}

type Perform = dyn FnMut(u32, u32, u32, u32, u32, u32, u32) -> u32;

/// Runs one operation from its request to its reply.
pub(crate) fn run(world: &Rc<RefCell<World>>, request: &Value) -> Value {
    let name = JsValue::from_str("milepost_perform");
    let outer = Reflect::get(&global(), &name).unwrap();
    let host = Rc::clone(world);
    let perform: Closure<Perform> =
        Closure::new(move |effect, text, text_length, more, more_length, _, _| {
            host.borrow_mut().effects += 1;
            let during = host.borrow_mut().during.take();
            if let Some(during) = during {
                during();
            }
            let text = String::from_utf8(get(text, text_length)).unwrap();
            let more = get(more, more_length);
            host.borrow_mut().perform(effect, &text, &more)
        });
    Reflect::set(&global(), &name, perform.as_ref()).unwrap();
    let line = reply(operate(write(&request.to_string())));
    Reflect::set(&global(), &name, &outer).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

impl World {
    fn perform(&mut self, effect: u32, text: &str, more: &[u8]) -> u32 {
        let second = || str::from_utf8(more).unwrap().to_owned();
        match effect {
            0 => answer(&[1_800_000_000_000_f64.to_le_bytes(), 5_f64.to_le_bytes()].concat()),
            1 => answer(&[7; 16]),
            3 => NOT_FOUND,
            4 => {
                let paths = text.strip_suffix('\0').unwrap().split('\0');
                let entries: Vec<u8> = paths.flat_map(|path| self.entry(path)).collect();
                answer(&entries)
            }
            5 => match self.files.get(text) {
                Some(content) => answer(content),
                None => NOT_FOUND,
            },
            7 => {
                self.folders.insert(text.to_owned());
                0
            }
            8 => {
                self.files.insert(text.to_owned(), more.to_vec());
                0
            }
            9 => {
                let content = self.files.remove(text).unwrap();
                self.files.insert(second(), content);
                0
            }
            10 => match self.files.get(text).cloned() {
                Some(content) => {
                    self.files.insert(second(), content);
                    0
                }
                None => NOT_FOUND,
            },
            11 => {
                self.files.remove(text);
                0
            }
            14 => {
                let folder = format!("{text}/");
                let names = self.files.keys();
                let names = names.filter_map(|path| path.strip_prefix(&folder));
                let list: String = names.map(|name| format!("{name}\0")).collect();
                answer(format!("{list}\u{1}").as_bytes())
            }
            15 => 0,
            other => panic!("nothing here asks for effect {other}"),
        }
    }

    fn entry(&self, path: &str) -> Vec<u8> {
        let (kind, size) = match self.files.get(path) {
            Some(content) => (FILE, content.len()),
            None if self.folders.contains(path) => (FOLDER, 0),
            None => (ABSENT, 0),
        };
        let mut entry = [kind.to_le_bytes(), (-1_i32).to_le_bytes()].concat();
        entry.extend((size as f64).to_le_bytes());
        entry
    }
}

fn answer(content: &[u8]) -> u32 {
    put(reserve_outcome(content.len()), content);
    0
}
