//! Notices of what checkpoints reached. The package's command line sends them; the notice, its receivers and its time
//! are decided here.

mod collect;
mod configured;
mod cursor_store;
mod endpoints;

use super::rows;

rows! {
    notification_endpoints
    due_notices
    record_deliveries
}
