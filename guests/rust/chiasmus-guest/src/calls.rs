//! The accelerators of the machine, one instruction each. Operands may overlap: all are read before the result is written.

/// SHA-256's state and block are aligned to words.
#[repr(align(8))]
#[derive(Clone, Copy)]
pub struct Aligned<T>(pub T);

/// Keccak-f[1600] on a state; lane (x, y) is state[x + 5y].
#[inline]
pub fn keccak_f(state: &mut [u64; 25]) {
    unsafe { core::arch::asm!("ecall", in("a7") 0x100, in("a0") state.as_mut_ptr(), in("a1") 0, in("a2") 0) }
}

/// The bytes of a block of Keccak-256, SHA3-256 and SHAKE256.
pub const KECCAK_RATE: usize = 136;

/// Adds a block to a state, at any address, and permutes the state. The machine reads the 18 words that the block begins
/// and ends in; if the block is aligned, the 18th is the word after it, which does not affect the result. The call traps
/// only if this word is outside of memory: no region that the linker script or the machine fills ends there.
#[inline]
pub fn keccak_absorb(state: &mut [u64; 25], block: &[u8; KECCAK_RATE]) {
    let at = block.as_ptr() as usize;
    unsafe { core::arch::asm!("ecall", in("a7") 0x103, in("a0") state.as_mut_ptr(), in("a1") at & !7, in("a2") at & 7) }
}

/// The same with a block in words.
#[inline]
pub fn keccak_absorb_words(state: &mut [u64; 25], block: &[u64; KECCAK_RATE / 8]) {
    unsafe { core::arch::asm!("ecall", in("a7") 0x103, in("a0") state.as_mut_ptr(), in("a1") block.as_ptr(), in("a2") 0) }
}

/// A block of zeros, which changes nothing before the permutation.
pub static ZERO_BLOCK: [u64; KECCAK_RATE / 8] = [0; KECCAK_RATE / 8];

/// SHA-256's compression of a block into a state, both as numbers.
#[inline]
pub fn sha256_compress(state: &mut Aligned<[u32; 8]>, block: &Aligned<[u32; 16]>) {
    unsafe {
        core::arch::asm!("ecall", in("a7") 0x101, in("a0") state.0.as_mut_ptr(), in("a1") block.0.as_ptr(), in("a2") 0)
    }
}

/// x = x * y mod m, least significant word first. An m of 0 is a trap.
#[inline]
pub fn modmul(x: &mut [u64; 4], y: &[u64; 4], m: &[u64; 4]) {
    unsafe {
        core::arch::asm!("ecall", in("a7") 0x102, in("a0") x.as_mut_ptr(), in("a1") y.as_ptr(), in("a2") m.as_ptr())
    }
}

/// sum = sum + x y without a modulus, least significant word first. The ninth word counts what overflows 512 bits; a sum
/// of 2^544 or more is a trap.
#[inline]
pub fn wide256(sum: &mut [u64; 9], x: &[u64; 4], y: &[u64; 4]) {
    unsafe {
        core::arch::asm!("ecall", in("a7") 0x112, in("a0") sum.as_mut_ptr(), in("a1") x.as_ptr(), in("a2") y.as_ptr())
    }
}
