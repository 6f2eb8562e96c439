//! What a guest can ask of the machine: inputs, output, the end, the accelerators. It is a file of the template, not a
//! crate: copy it.

#![allow(dead_code)] // a program takes what it needs

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;

const PRIVATE_INPUT: usize = 0x8000_0000;
const PUBLIC_INPUT: usize = 0xa000_0000;
const PUBLIC_OUTPUT: usize = 0xb000_0000;
const MAX_PRIVATE: usize = (1 << 27) - 8;
const MAX_PUBLIC: usize = 1 << 16;

// The first instructions: registers are 0, memory is as the ELF says.
core::arch::global_asm!(
    ".section .text.start, \"ax\"",
    ".globl _start",
    "_start:",
    ".option push",
    ".option norelax",
    "la gp, __global_pointer$",
    ".option pop",
    "li sp, 0x80000000",
    "call {main}",
    "li a0, 0",
    "li a7, 93",
    "ecall",
    main = sym crate::main,
);

/// Ends the program. Only a run that ends with 0 counts.
pub fn exit(code: u32) -> ! {
    unsafe { core::arch::asm!("ecall", in("a7") 93, in("a0") code as usize, options(noreturn)) }
}

fn region(address: usize, most: usize) -> &'static [u8] {
    // The prover chooses what the private region holds, also its length.
    let length = unsafe { core::ptr::read_volatile(address as *const usize) };
    if length > most {
        exit(135);
    }
    unsafe { core::slice::from_raw_parts((address + 8) as *const u8, length) }
}

/// The private input, known to the prover alone.
pub fn read_input() -> &'static [u8] {
    region(PRIVATE_INPUT, MAX_PRIVATE)
}

/// The public input, part of what is proven.
pub fn read_public_input() -> &'static [u8] {
    region(PUBLIC_INPUT, MAX_PUBLIC)
}

/// Appends to the public output, at most 64 KiB in all.
pub fn write_output(bytes: &[u8]) {
    let length = PUBLIC_OUTPUT as *mut usize;
    let written = unsafe { core::ptr::read_volatile(length) };
    if bytes.len() > MAX_PUBLIC - written {
        exit(136);
    }
    unsafe {
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), (PUBLIC_OUTPUT + 8 + written) as *mut u8, bytes.len());
        core::ptr::write_volatile(length, written + bytes.len());
    }
}

/// Keccak-f[1600] on a state.
pub fn keccak_f(state: &mut [u64; 25]) {
    unsafe { core::arch::asm!("ecall", in("a7") 0x100, in("a0") state.as_mut_ptr(), in("a1") 0, in("a2") 0) }
}

/// The compression of SHA-256, on numbers.
pub fn sha256_compress(state: &mut Aligned<[u32; 8]>, block: &Aligned<[u32; 16]>) {
    unsafe { core::arch::asm!("ecall", in("a7") 0x101, in("a0") state.0.as_mut_ptr(), in("a1") block.0.as_ptr(), in("a2") 0) }
}

/// x = x * y mod m, least significant word first. m is not 0.
pub fn modmul(x: &mut [u64; 4], y: &[u64; 4], m: &[u64; 4]) {
    unsafe { core::arch::asm!("ecall", in("a7") 0x102, in("a0") x.as_mut_ptr(), in("a1") y.as_ptr(), in("a2") m.as_ptr()) }
}

/// Operands of accelerators are aligned to words.
#[repr(align(8))]
pub struct Aligned<T>(pub T);

/// A heap that gives memory out and never takes it back.
pub struct Heap(Cell<usize>);

unsafe impl Sync for Heap {} // there is one thread

impl Heap {
    pub const fn new() -> Self {
        Heap(Cell::new(0))
    }
}

extern "C" {
    static _heap_start: u8;
    static _heap_end: u8;
}

unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let next = self.0.get().max(&raw const _heap_start as usize);
        let start = (next + layout.align() - 1) & !(layout.align() - 1);
        match start.checked_add(layout.size()) {
            Some(end) if end <= &raw const _heap_end as usize => {
                self.0.set(end);
                start as *mut u8
            }
            _ => core::ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    exit(134)
}
