//! Reads beyond the end of an array.
use chiasmus_guest::io;

fn main() {
    let numbers = [1, 2, 3];
    println!("{}", numbers[io::private().len()]);
}
