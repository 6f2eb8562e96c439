//! There are no threads: std returns an error.
use chiasmus_guest as _; // its start and its hooks

fn main() {
    std::thread::spawn(|| println!("never"));
}
