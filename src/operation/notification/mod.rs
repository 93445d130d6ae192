//! Telling others of what checkpoints reached. The package's command line sends it; what to send, to whom
//! and when is said here.

mod collect;
mod configured;
mod endpoints;
mod opened;

use super::rows;

rows! {
    notification_endpoints
    due_notices
    record_deliveries
}
