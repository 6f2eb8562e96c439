//! There is no randomness: the kit panics.
use chiasmus_guest as _; // its start and its hooks

fn main() {
    let mut key = [0u8; 32];
    getrandom::fill(&mut key).unwrap();
}
