//! Rules alone, on what the request brings.

mod given;

use super::rows;

rows! {
    validate
    check_handoff_request
    check_handoff_response
}
