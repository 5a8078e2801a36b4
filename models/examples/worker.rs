// SPDX-License-Identifier: MIT OR Apache-2.0

//! A worker of its own, for `cargo teeth`: no more than what plays the quick tier is built again around
//! each broken core. The folder for witnesses is the argument.

use std::path::PathBuf;

use prodq_models::catalog::Tier;
use prodq_models::worker::serve;

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(PathBuf::new, PathBuf::from);
    serve(Tier::Quick, &folder, None)
}
