//! Parts of a run on as many threads as there are cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The part of one thread, and its result.
pub(crate) type Part<T> = Box<dyn FnOnce() -> T + Send>;

/// Runs all parts, begun in their order, and returns what came of each in the same order.
pub(crate) fn run<T: Send>(parts: Vec<Part<T>>) -> Vec<T> {
    let parts: Vec<_> = parts.into_iter().map(|it| Mutex::new(Some(it))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = parts.get(at) else {
                return done;
            };
            let part = part.lock().ok().and_then(|mut part| part.take());
            done.extend(part.map(|part| (at, part())));
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<(usize, T)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let ended = threads.into_iter().map(thread::ScopedJoinHandle::join);
        ended
            .flat_map(|done| done.expect("a part panicked, and has said why"))
            .collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, it)| it).collect()
}
