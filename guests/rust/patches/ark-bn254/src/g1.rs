//! G1: y^2 = x^3 + 3 over Fq.
use crate::calls::call;
use crate::multiples::{Curve, sums};
use crate::points::Sums;
use crate::{Fq, Fr};
use ark_ec::CurveConfig;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::{AdditiveGroup, Field, MontFp};

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Config;

pub type G1Affine = Affine<Config>;

pub const G1_GENERATOR_X: Fq = Fq::ONE;
pub const G1_GENERATOR_Y: Fq = MontFp!("2");

impl CurveConfig for Config {
    type BaseField = Fq;
    type ScalarField = Fr;
    const COFACTOR: &'static [u64] = &[1];
    const COFACTOR_INV: Fr = Fr::ONE;
}

impl SWCurveConfig for Config {
    const COEFF_A: Fq = Fq::ZERO;
    const COEFF_B: Fq = MontFp!("3");
    const GENERATOR: G1Affine = G1Affine::new_unchecked(G1_GENERATOR_X, G1_GENERATOR_Y);

    #[inline(always)]
    fn mul_by_a(_: Fq) -> Fq {
        Fq::ZERO
    }

    #[inline]
    fn is_in_correct_subgroup_assuming_on_curve(_: &G1Affine) -> bool {
        true // all points of the curve are in the group
    }

    sums!();
}

const CURVE: *const u8 = 2 as *const u8;

impl Curve for Config {}

impl Sums for Config {
    type Coordinate = Fq;

    #[inline(always)]
    fn add(p: &mut [Fq; 2], q: &[Fq; 2]) {
        unsafe { call(0x120, p, q, CURVE) }
    }

    #[inline(always)]
    fn double(p: &mut [Fq; 2]) {
        unsafe { call(0x121, p, CURVE, 0 as *const u8) }
    }
}
