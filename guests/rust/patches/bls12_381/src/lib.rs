//! Crate bls12_381 for guests, with bls12_381's interface: the fields, the groups and the pairing use accelerators.
//! Points have affine coordinates, and elements are stored as plain numbers. No operation takes constant time.
#![no_std]
#![feature(core_intrinsics, const_eval_select)] // Scalar::mul is const, but uses an accelerator at run time
#![allow(internal_features)]

#[cfg(feature = "experimental")]
compile_error!("the kit's bls12_381 does not hash to curves: build it without its feature experimental");

#[cfg(feature = "alloc")]
extern crate alloc;

#[path = "../../calls.rs"]
mod calls;
#[cfg_attr(not(feature = "groups"), allow(unused_imports, unused_macros))]
mod operators;
mod scalar;
mod scalar_traits;
pub use scalar::Scalar;

#[cfg(feature = "groups")]
mod curves;
#[cfg(feature = "groups")]
mod encodings;
#[cfg(feature = "groups")]
mod fp;
#[cfg(feature = "groups")]
mod fp2;
#[cfg(feature = "groups")]
mod models;
#[cfg(feature = "groups")]
mod point_traits;
#[cfg(feature = "groups")]
#[path = "../../points.rs"]
mod points;
#[cfg(feature = "groups")]
#[path = "../../tower.rs"]
#[cfg_attr(not(feature = "pairings"), allow(dead_code, unused_imports))]
mod tower;
#[cfg(feature = "groups")]
pub use curves::{G1Affine, G1Projective, G2Affine, G2Projective};

#[cfg(feature = "pairings")]
mod fp12;
#[cfg(feature = "pairings")]
mod gt;
#[cfg(feature = "pairings")]
mod pairings;
#[cfg(all(feature = "pairings", feature = "alloc"))]
pub use pairings::{G2Prepared, multi_miller_loop};
#[cfg(feature = "pairings")]
pub use {gt::Gt, pairings::Bls12, pairings::MillerLoopResult, pairings::pairing};
