//! Other work on the same machine, for tests that have to pass beside it.

use std::hint;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Threads that take all of the processor that they get, until this is dropped.
pub(super) struct Load {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    pub(super) fn start(threads: usize) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let spin = |is_over: Arc<AtomicBool>| {
            while !is_over.load(Ordering::Relaxed) {
                hint::spin_loop();
            }
        };
        let threads = (0..threads)
            .map(|_| {
                let is_over = Arc::clone(&is_over);
                thread::spawn(move || spin(is_over))
            })
            .collect();
        Self { is_over, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A loop that only reads a flag does not panic.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Load;
    use std::sync::atomic::Ordering;

    #[test]
    fn busy_threads_end_with_their_load() {
        let load = Load::start(2);
        let is_over = load.is_over.clone();
        assert_eq!(load.threads.len(), 2);
        assert!(!is_over.load(Ordering::Relaxed));
        drop(load);
        assert!(is_over.load(Ordering::Relaxed));
    }
}
