//! A proof is about one run, so there is no randomness. Crates that request randomness panic.

const MESSAGE: &str = "getrandom: a guest has no randomness; take it from the private input";

fn refuse(_: &mut [u8]) -> Result<(), getrandom2::Error> {
    panic!("{MESSAGE}")
}
getrandom2::register_custom_getrandom!(refuse);

/// getrandom 0.3 and later call this, if compiled with --cfg getrandom_backend="custom".
#[unsafe(no_mangle)]
extern "Rust" fn __getrandom_v03_custom(_: *mut u8, _: usize) -> Result<(), core::num::NonZeroU32> {
    panic!("{MESSAGE}")
}
