//! The tower of fields.
use crate::constants;
use crate::field::field;
use crate::tower::Extension;
use ark_ff::fields::{Fp2, Fp2Config, Fp6, Fp6Config, Fp12, Fp12Config};
use ark_ff::{AdditiveGroup, Field, MontFp};

field!(
    Fq, FqConfig, 4,
    [0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029],
    3,
    [0x3c208c16d87cfd46, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029]
);
field!(
    Fr, FrConfig, 4,
    [0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029],
    5,
    [0x9bd61b6e725b19f0, 0x402d111e41112ed4, 0x00e0a7eb8ef62abc, 0x2a3c09f0a58a7e85],
    (3, 2, [0x93a8634583364d6e, 0x538ba2770d19f8d1, 0xd2e4fc9262c26ea9, 0x11b08a0621940bda])
);

pub type Fq2 = Fp2<Fq2Config>;
pub type Fq6 = Fp6<Fq6Config>;
pub type Fq12 = Fp12<Fq12Config>;

pub struct Fq2Config;
#[derive(Clone, Copy)]
pub struct Fq6Config;
#[derive(Clone, Copy)]
pub struct Fq12Config;

impl Fp2Config for Fq2Config {
    type Fp = Fq;
    const NONRESIDUE: Fq = MontFp!("-1");
    const FROBENIUS_COEFF_FP2_C1: &'static [Fq] = &[Fq::ONE, Self::NONRESIDUE];

    #[inline(always)]
    fn mul_fp_by_nonresidue_in_place(x: &mut Fq) -> &mut Fq {
        x.neg_in_place() // it is -1
    }
}

impl Extension for Fq2 {
    const CALLS: [usize; 2] = [0x130, 0x132];
    const ZERO: Fq2 = Fq2::new(Fq::ZERO, Fq::ZERO);
    const TWO: &'static Fq2 = &Fq2::new(MontFp!("2"), Fq::ZERO);
    const THREE: &'static Fq2 = &Fq2::new(MontFp!("3"), Fq::ZERO);
    const MINUS_ONE: &'static Fq2 = &Fq2::new(MontFp!("-1"), Fq::ZERO);
    const MINUS_TWO: &'static Fq2 = &Fq2::new(MontFp!("-2"), Fq::ZERO);
    const XI: &'static Fq2 = &Fq6Config::NONRESIDUE;
    const THREE_XI: &'static Fq2 = &Fq2::new(MontFp!("27"), MontFp!("3"));

    fn invert(&mut self) {
        self.inverse_in_place().expect("it is not 0");
    }
}

// The accelerators take an element as eight words, the words of c0 first.
const _: () = assert!(size_of::<Fq2>() == 64 && core::mem::offset_of!(Fq2, c0) == 0 && align_of::<Fq2>() == 8);

impl Fp6Config for Fq6Config {
    type Fp2Config = Fq2Config;
    const NONRESIDUE: Fq2 = Fq2::new(MontFp!("9"), Fq::ONE);
    const FROBENIUS_COEFF_FP6_C1: &'static [Fq2] = &constants::FROBENIUS_6;
    const FROBENIUS_COEFF_FP6_C2: &'static [Fq2] = &constants::FROBENIUS_6_SQUARED;

    #[inline(always)]
    fn mul_fp2_by_nonresidue_in_place(x: &mut Fq2) -> &mut Fq2 {
        crate::tower::multiply(x, &Self::NONRESIDUE);
        x
    }
}

impl Fp12Config for Fq12Config {
    type Fp6Config = Fq6Config;
    const NONRESIDUE: Fq6 = Fq6::new(<Fq2 as Extension>::ZERO, Fq2::ONE, <Fq2 as Extension>::ZERO);
    const FROBENIUS_COEFF_FP12_C1: &'static [Fq2] = &constants::FROBENIUS_12;
}
