//! SHA-256's compression with the accelerator.
#![allow(deprecated)] // GenericArray is part of the interface
use chiasmus_guest::calls::{Aligned, sha256_compress};
use digest::block_buffer::{BlockBuffer, Eager};
use digest::consts::U64;
use digest::generic_array::GenericArray;

pub type State = Aligned<[u32; 8]>;

pub fn state(first: [u32; 8]) -> State {
    Aligned(first)
}

/// Compresses blocks into a state.
#[cfg(feature = "compress")]
pub fn compress256(state: &mut [u32; 8], blocks: &[GenericArray<u8, U64>]) {
    let mut aligned = Aligned(*state);
    compress(&mut aligned, blocks);
    *state = aligned.0;
}

pub fn compress(state: &mut State, blocks: &[GenericArray<u8, U64>]) {
    for block in blocks {
        let mut words = Aligned([0; 16]);
        for (word, bytes) in words.0.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_be_bytes(bytes.try_into().unwrap());
        }
        sha256_compress(state, &words);
    }
}

pub fn pad(state: &mut State, buffer: &mut BlockBuffer<U64, Eager>, bits: u64) {
    buffer.len64_padding_be(bits, |block| compress(state, core::slice::from_ref(block)));
}

pub fn write(state: &State, out: &mut [u8]) {
    for (bytes, word) in out.chunks_exact_mut(4).zip(state.0) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
}
