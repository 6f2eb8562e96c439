//! There are no threads: std says so.
use chiasmus_guest as _; // its start and its hooks

fn main() {
    std::thread::spawn(|| println!("never"));
}
