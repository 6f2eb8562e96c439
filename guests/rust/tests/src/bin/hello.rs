//! Values in and out, a map, text.
use chiasmus_guest::io;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Deserialize)]
struct Input {
    text: String,
    numbers: Vec<u64>,
}

#[derive(Serialize)]
struct Output {
    sum: u64,
    words: usize,
}

fn main() {
    let input: Input = io::read();
    let more: u8 = io::read_public();
    let mut count: HashMap<&str, u32> = HashMap::new();
    for word in input.text.split(' ') {
        *count.entry(word).or_default() += 1;
    }
    println!("hello {}, {:?}", input.text, input.numbers);
    eprintln!("most often: {:?}", count.values().max());
    io::commit(&Output { sum: dbg!(input.numbers.iter().sum::<u64>() + more as u64), words: count.len() });
}
