//! G2: a subgroup of y^2 = x^3 + 3/xi over Fq2.
use crate::multiples::{self, Curve, sums};
use crate::points::Sums;
use crate::tower::{Room, multiply, step, zero_in};
use crate::{Fq, Fq2, Fr, constants};
use ark_ec::CurveConfig;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::{AdditiveGroup, BigInt, Field};

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Config;

pub type G2Affine = Affine<Config>;

pub const G2_GENERATOR_X: Fq2 = constants::G2[0];
pub const G2_GENERATOR_Y: Fq2 = constants::G2[1];
pub const G2_GENERATOR_X_C0: Fq = G2_GENERATOR_X.c0;
pub const G2_GENERATOR_X_C1: Fq = G2_GENERATOR_X.c1;
pub const G2_GENERATOR_Y_C0: Fq = G2_GENERATOR_Y.c0;
pub const G2_GENERATOR_Y_C1: Fq = G2_GENERATOR_Y.c1;

impl CurveConfig for Config {
    type BaseField = Fq2;
    type ScalarField = Fr;
    const COFACTOR: &'static [u64] = &constants::G2_COFACTOR;
    const COFACTOR_INV: Fr = Fr::new_unchecked(BigInt(constants::G2_COFACTOR_INVERSE));
}

impl SWCurveConfig for Config {
    const COEFF_A: Fq2 = Fq2::new(Fq::ZERO, Fq::ZERO);
    const COEFF_B: Fq2 = constants::TWIST_B;
    const GENERATOR: G2Affine = G2Affine::new_unchecked(G2_GENERATOR_X, G2_GENERATOR_Y);

    #[inline(always)]
    fn mul_by_a(_: Fq2) -> Fq2 {
        Self::COEFF_A
    }

    /// The Frobenius map of the twist equals multiplication by 6x^2 exactly for the points of the group (El Housni,
    /// Guillevic and Piellard, 2022).
    fn is_in_correct_subgroup_assuming_on_curve(p: &G2Affine) -> bool {
        multiples::multiply(p, &constants::SIX_X_SQUARED) == frobenius(p)
    }

    sums!();
}

fn frobenius(p: &G2Affine) -> G2Affine {
    let mut image = *p;
    image.x.frobenius_map_in_place(1);
    image.y.frobenius_map_in_place(1);
    multiply(&mut image.x, &constants::FROBENIUS_6[1]);
    multiply(&mut image.y, &constants::TWIST_Y);
    image
}

fn add_or_double(p: &mut [Fq2; 2], q: Option<&[Fq2; 2]>) {
    let mut line = [Room::uninit(), Room::uninit()];
    assert!(step(p, q, line.each_mut().map(zero_in)), "the points have different x, and none has y = 0");
}

impl Curve for Config {}

impl Sums for Config {
    type Coordinate = Fq2;

    fn add(p: &mut [Fq2; 2], q: &[Fq2; 2]) {
        add_or_double(p, Some(q));
    }

    fn double(p: &mut [Fq2; 2]) {
        add_or_double(p, None);
    }
}
