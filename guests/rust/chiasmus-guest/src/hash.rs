//! Hashes with the accelerators.
use crate::calls::{self, Aligned};

const RATE: usize = 136;

/// Keccak-256 with Ethereum's padding.
pub fn keccak256(message: &[u8]) -> [u8; 32] {
    let mut state = [0u64; 25];
    let (blocks, rest) = message.as_chunks::<RATE>();
    for block in blocks {
        absorb(&mut state, block);
        calls::keccak_f(&mut state);
    }
    // The last block: the remaining bytes, a one after them, and a one at the block's end.
    let (words, tail) = rest.split_at(rest.len() & !7);
    absorb(&mut state, words);
    state[words.len() / 8] ^= tail.iter().rev().fold(1, |word, byte| word << 8 | *byte as u64);
    state[RATE / 8 - 1] ^= 1 << 63;
    calls::keccak_f(&mut state);
    let mut digest = [0u8; 32];
    for (bytes, lane) in digest.chunks_exact_mut(8).zip(state) {
        bytes.copy_from_slice(&lane.to_le_bytes());
    }
    digest
}

#[inline(always)]
fn absorb(state: &mut [u64; 25], words: &[u8]) {
    for (lane, bytes) in state.iter_mut().zip(words.chunks_exact(8)) {
        *lane ^= u64::from_le_bytes(bytes.try_into().unwrap());
    }
}

/// SHA-256.
pub fn sha256(message: &[u8]) -> [u8; 32] {
    let mut state = Aligned([
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    ]);
    let mut compress = |block: &[u8]| {
        let mut words = Aligned([0u32; 16]);
        for (word, bytes) in words.0.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_be_bytes(bytes.try_into().unwrap());
        }
        calls::sha256_compress(&mut state, &words);
    };
    let blocks = message.chunks_exact(64);
    let rest = blocks.remainder();
    for block in blocks {
        compress(block);
    }
    let mut last = [0u8; 128];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = 0x80;
    let size = if rest.len() < 56 { 64 } else { 128 };
    last[size - 8..size].copy_from_slice(&(message.len() as u64 * 8).to_be_bytes());
    for block in last[..size].chunks_exact(64) {
        compress(block);
    }
    let mut digest = [0u8; 32];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state.0) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

/// alloy-primitives calls this with its feature native-keccak.
#[unsafe(no_mangle)]
unsafe extern "C" fn native_keccak256(bytes: *const u8, n: usize, digest: *mut u8) {
    unsafe { *(digest as *mut [u8; 32]) = keccak256(core::slice::from_raw_parts(bytes, n)) }
}
