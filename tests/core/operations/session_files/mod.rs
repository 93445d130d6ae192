//! Files that a session checkpoint brings back, on real files beside the real git.

mod concurrent;
mod corners;
mod model;
mod modes;
mod partial_clone;
mod place;
mod settings;
mod stopped;
mod tree;
mod unkept;
mod unread;
mod untrusted;
