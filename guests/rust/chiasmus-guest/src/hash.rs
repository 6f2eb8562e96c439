//! Hashes with the accelerators.
use core::mem::MaybeUninit;

use crate::calls::{self, Aligned, KECCAK_RATE};

/// Keccak-256 with Ethereum's padding.
pub fn keccak256(message: &[u8]) -> [u8; 32] {
    let mut state = MaybeUninit::uninit();
    let state = clear(&mut state);
    let (blocks, rest) = message.as_chunks::<KECCAK_RATE>();
    if blocks.is_empty() {
        last_block(state, rest, message);
        calls::keccak_absorb_words(state, &calls::ZERO_BLOCK);
    } else {
        for block in blocks {
            calls::keccak_absorb(state, block);
        }
        let mut last = MaybeUninit::uninit();
        let last = clear(&mut last);
        last_block(last, rest, message);
        calls::keccak_absorb_words(state, last);
    }
    let mut digest = [0u8; 32];
    for (bytes, lane) in digest.chunks_exact_mut(8).zip(state.iter()) {
        bytes.copy_from_slice(&lane.to_le_bytes());
    }
    digest
}

/// Sets words to 0. Volatile stores do not become a call of memset, which takes longer.
#[inline(always)]
fn clear<const N: usize>(words: &mut MaybeUninit<[u64; N]>) -> &mut [u64; N] {
    let first = words.as_mut_ptr().cast::<u64>();
    for i in 0..N {
        unsafe { first.add(i).write_volatile(0) }
    }
    unsafe { words.assume_init_mut() }
}

/// Writes the last block into zeros: the rest of the message, a one after it, and a one at the block's end.
#[inline(always)]
fn last_block(block: &mut [u64], rest: &[u8], message: &[u8]) {
    let (words, tail) = rest.as_chunks::<8>();
    for (word, bytes) in block.iter_mut().zip(words) {
        unsafe { (word as *mut u64).write_volatile(u64::from_le_bytes(*bytes)) } // nor a call of memcpy
    }
    let bits = 8 * tail.len();
    let last = match message.last_chunk::<8>() {
        Some(bytes) if bits > 0 => u64::from_le_bytes(*bytes) >> (64 - bits),
        _ => tail.iter().rev().fold(0, |word, byte| word << 8 | *byte as u64),
    };
    block[words.len()] = last | 1 << bits;
    block[KECCAK_RATE / 8 - 1] |= 1 << 63;
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
