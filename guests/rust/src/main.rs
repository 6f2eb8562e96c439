//! An example: sorts the words of the private input and writes Keccak-256 of the sorted text.
#![no_std]
#![no_main]

extern crate alloc;

mod zkvm;

use alloc::vec::Vec;

#[global_allocator]
static HEAP: zkvm::Heap = zkvm::Heap::new();

fn keccak256(message: &[u8]) -> [u8; 32] {
    const RATE: usize = 136;
    let mut state = [0u64; 25];
    let mut absorb = |block: &[u8; RATE]| {
        for (lane, bytes) in state.iter_mut().zip(block.chunks_exact(8)) {
            *lane ^= u64::from_le_bytes(bytes.try_into().unwrap());
        }
        zkvm::keccak_f(&mut state);
    };
    let blocks = message.chunks_exact(RATE);
    let rest = blocks.remainder();
    for block in blocks {
        absorb(block.try_into().unwrap());
    }
    let mut last = [0u8; RATE];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = 0x01;
    last[RATE - 1] |= 0x80;
    absorb(&last);
    let mut digest = [0u8; 32];
    for (bytes, lane) in digest.chunks_exact_mut(8).zip(state) {
        bytes.copy_from_slice(&lane.to_le_bytes());
    }
    digest
}

pub extern "C" fn main() {
    let mut words: Vec<&[u8]> = zkvm::read_input().split(|b| *b == b' ').collect();
    words.sort();
    zkvm::write_output(&keccak256(&words.join(&b' ')));
}
