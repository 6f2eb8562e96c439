//! Inputs and the output are regions of memory: a word with the length, then the bytes.
use crate::{code, exit};
#[cfg(feature = "serde")]
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const PRIVATE_INPUT: usize = 0x8000_0000;
const PUBLIC_INPUT: usize = 0xa000_0000;
const PUBLIC_OUTPUT: usize = 0xb000_0000;
const MAX_PRIVATE: usize = (1 << 27) - 8;
const MAX_PUBLIC: usize = 1 << 16;

fn region(address: usize, most: usize) -> &'static [u8] {
    // The prover chooses the contents of the private region, including its length.
    let length = unsafe { core::ptr::read_volatile(address as *const usize) };
    if length > most {
        exit(code::INPUT)
    }
    unsafe { core::slice::from_raw_parts((address + 8) as *const u8, length) }
}

/// The private input, known only to the prover. Nothing is copied.
pub fn private() -> &'static [u8] {
    region(PRIVATE_INPUT, MAX_PRIVATE)
}

/// The public input, part of what is proven.
pub fn public() -> &'static [u8] {
    region(PUBLIC_INPUT, MAX_PUBLIC)
}

/// Appends to the public output, at most 64 KiB in all: more ends the program with exit code 136.
pub fn commit_bytes(bytes: &[u8]) {
    let length = PUBLIC_OUTPUT as *mut usize;
    let written = unsafe { core::ptr::read_volatile(length) };
    if bytes.len() > MAX_PUBLIC - written {
        exit(code::OUTPUT)
    }
    unsafe {
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), (PUBLIC_OUTPUT + 8 + written) as *mut u8, bytes.len());
        core::ptr::write_volatile(length, written + bytes.len());
    }
}

#[cfg(feature = "serde")]
fn next<T: serde::de::DeserializeOwned>(name: &str, all: &'static [u8], read: &AtomicUsize) -> T {
    let at = read.load(Relaxed);
    match postcard::take_from_bytes(&all[at..]) {
        Ok((value, rest)) => {
            read.store(all.len() - rest.len(), Relaxed);
            value
        }
        Err(e) => panic!("the {name} input has no {} at byte {at} of {}: {e}", core::any::type_name::<T>(), all.len()),
    }
}

/// The next value of the private input, encoded by postcard.
#[cfg(feature = "serde")]
pub fn read<T: serde::de::DeserializeOwned>() -> T {
    static READ: AtomicUsize = AtomicUsize::new(0);
    next("private", private(), &READ)
}

/// The next value of the public input, encoded by postcard.
#[cfg(feature = "serde")]
pub fn read_public<T: serde::de::DeserializeOwned>() -> T {
    static READ: AtomicUsize = AtomicUsize::new(0);
    next("public", public(), &READ)
}

/// Appends a value to the public output, encoded by postcard.
#[cfg(feature = "serde")]
pub fn commit<T: serde::Serialize + ?Sized>(value: &T) {
    match postcard::to_allocvec(value) {
        Ok(bytes) => commit_bytes(&bytes),
        Err(e) => panic!("the output cannot be encoded: {e}"),
    }
}
