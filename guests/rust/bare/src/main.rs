//! Sorts the words of the private input and writes Keccak-256 of the sorted text.
#![no_std]
#![no_main]

extern crate alloc;

use alloc::vec::Vec;
use chiasmus_guest::{entry, io, keccak256, println};

entry!(main);

fn main() -> Result<(), &'static str> {
    let mut words: Vec<&[u8]> = io::private().split(|b| *b == b' ').collect();
    // Ten times as much as the memory: freed memory is reused.
    for _ in 0..1 << 8 {
        let block: Vec<u8> = Vec::with_capacity(1 << 26);
        assert!(block.as_ptr() as usize % 8 == 0);
    }
    if words == [b""] {
        return Err("there are no words");
    }
    words.sort();
    println!("{} words", words.len());
    io::commit_bytes(&keccak256(&words.join(&b' ')));
    Ok(())
}
