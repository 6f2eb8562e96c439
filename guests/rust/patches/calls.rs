//! The accelerators' calls for fields, on numbers of 256 or 384 bits with the least significant word first. Operands
//! may overlap.
#![allow(dead_code)] // no crate uses all functions

/// An accelerator's call.
///
/// # Safety
/// The operands must be those of the call.
#[inline(always)]
pub unsafe fn call<A, B, C>(code: usize, a: *mut A, b: *const B, c: *const C) {
    unsafe { core::arch::asm!("ecall", in("a7") code, in("a0") a, in("a1") b, in("a2") c) }
}

/// A modulus, and the operation modulo it.
#[repr(C)]
pub struct Operation<const N: usize> {
    modulus: [u64; N],
    operation: u64,
}

impl<const N: usize> Operation<N> {
    /// x = x y + z
    pub const fn multiply(modulus: [u64; N]) -> Self {
        Operation { modulus, operation: 0 }
    }

    /// x = 1/x
    pub const fn invert(modulus: [u64; N]) -> Self {
        Operation { modulus, operation: 1 }
    }

    /// x = the even root of x or of -x
    pub const fn root(modulus: [u64; N]) -> Self {
        Operation { modulus, operation: 2 }
    }
}

/// y and z of x y + z.
#[repr(C)]
pub struct Others<const N: usize> {
    pub y: [u64; N],
    pub z: [u64; N],
}

const fn number_of<const N: usize>() -> usize {
    match N {
        4 => 0x110,
        6 => 0x111,
        _ => panic!("the accelerators are for 256 and for 384 bits"),
    }
}

/// x = x y + z
#[inline(always)]
pub fn multiply_add<const N: usize>(x: &mut [u64; N], y: &[u64; N], z: &[u64; N], by: &'static Operation<N>) {
    unsafe { call(const { number_of::<N>() }, x, &Others { y: *y, z: *z }, by) }
}

/// x = x y + z for constants.
#[inline(always)]
pub fn linear<const N: usize>(x: &mut [u64; N], others: &'static Others<N>, by: &'static Operation<N>) {
    unsafe { call(const { number_of::<N>() }, x, others, by) }
}

/// x = x y, where x may be y.
///
/// # Safety
/// Both pointers must point to numbers.
#[inline(always)]
pub unsafe fn multiply<const N: usize>(x: *mut [u64; N], y: *const [u64; N], by: &'static Operation<N>) {
    unsafe {
        if N == 4 {
            call(0x102, x, y, &by.modulus)
        } else {
            call(const { number_of::<N>() }, x, &Others { y: *y, z: [0; N] }, by)
        }
    }
}

/// x = the result of an operation that reads only x. An inverse must exist.
#[inline(always)]
pub fn operate<const N: usize>(x: &mut [u64; N], by: &'static Operation<N>) {
    unsafe { call(const { number_of::<N>() }, x, const { &Others { y: [0; N], z: [0; N] } }, by) }
}
