//! Crate ark-bn254 for guests, with ark-bn254's interface: the fields, G1 and the pairing use accelerators. Elements
//! are stored as plain numbers: `Fp::new_unchecked` and the field 0 of an element are not in Montgomery's form.
#![no_std]

extern crate alloc;

#[cfg(feature = "r1cs")]
compile_error!("the kit's ark-bn254 has no constraints: build it without its feature r1cs");

#[path = "../../calls.rs"]
mod calls;
#[path = "../../field.rs"]
mod field;
#[path = "../../points.rs"]
mod points;
#[path = "../../tower.rs"]
mod tower;

mod constants;
mod fields;
pub mod g1;
pub mod g2;
mod multiples;
mod pairing;

pub use fields::*;
pub use pairing::*;
