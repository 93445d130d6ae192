//! The handle over which an operation asks a host that answers within the call, in the blocking
//! variant of the source. The names are those of the async variant.

use std::fmt;
use std::rc::Rc;

use super::answer::{Fitting, failed};
use super::{Effect, Failed, Outcome};

/// Asks the host for effects, each by one call.
#[derive(Clone)]
pub struct Io {
    perform: Rc<dyn Fn(Effect) -> Outcome>,
}

impl Io {
    /// A handle to the host that performs effects by this function.
    pub fn new(perform: impl Fn(Effect) -> Outcome + 'static) -> Self {
        Io {
            perform: Rc::new(perform),
        }
    }

    pub(crate) fn request<T>(&self, effect: Effect, fitting: Fitting<T>) -> Answer<T> {
        let name = effect.name();
        fitting((self.perform)(effect)).map_err(|outcome| failed(name, outcome))
    }
}

impl fmt::Debug for Io {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Io").finish_non_exhaustive()
    }
}

/// The host's answer.
pub type Answer<T> = Result<T, Failed>;

/// The result of an operation.
pub(crate) type Boxed<T> = T;

/// Returns its argument, which is a result already.
pub(crate) fn boxed<T>(done: T) -> T {
    done
}
