//! The binding of the world `core`.
#![allow(unsafe_code)]
wit_bindgen::generate!({ path: "wit", world: "core" });
use exports::milepost::checkpoint::tokens::Guest;
struct Core;
impl Guest for Core {
    fn count(text: String) -> u64 {
        crate::tokens::count(&text)
    }
}
export!(Core);
