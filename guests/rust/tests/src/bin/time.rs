//! There is no clock: std panics.
use chiasmus_guest as _; // its start and its hooks

fn main() {
    println!("{:?}", std::time::Instant::now());
}
