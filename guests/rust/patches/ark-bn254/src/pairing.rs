//! The optimal ate pairing.
use crate::tower::{self, Extension, Room, add_product, conjugate, power_cyclotomic, product_in, set_product, unroll};
use crate::{Fq, Fq2, Fq2Config, Fq6, Fq6Config, Fq12, Fq12Config, constants, g1, g2};
use alloc::vec::Vec;
use ark_ec::bn::{self, Bn, BnConfig, TwistType};
use ark_ec::pairing::{MillerLoopOutput, PairingOutput};
use ark_ff::{AdditiveGroup, Field};

pub struct Config;

pub type Bn254 = Bn<Config>;
pub type G1Affine = bn::G1Affine<Config>;
pub type G1Projective = bn::G1Projective<Config>;
pub type G2Affine = bn::G2Affine<Config>;
pub type G2Projective = bn::G2Projective<Config>;

type Six = tower::Six<Fq2>;

/// The coefficients of an element of ark-ff's tower, where w^2 = v.
fn of(x: &Fq12) -> Six {
    [x.c0.c0, x.c1.c0, x.c0.c1, x.c1.c1, x.c0.c2, x.c1.c2]
}

fn to(x: Six) -> Fq12 {
    Fq12::new(Fq6::new(x[0], x[2], x[4]), Fq6::new(x[1], x[3], x[5]))
}

/// Returns the result that a function writes to its argument.
fn result(write: impl FnOnce(&mut Six)) -> Six {
    let mut r = [<Fq2 as Extension>::ZERO; 6];
    write(&mut r);
    r
}

fn mul(x: &Six, y: &Six) -> Six {
    result(|r| tower::mul(r, x, y))
}

fn square_cyclotomic(x: &Six) -> Six {
    result(|r| tower::square_cyclotomic(r, x))
}

impl BnConfig for Config {
    const X: &'static [u64] = &[0x44e992b44a6909f1];
    const X_IS_NEGATIVE: bool = false;
    // The signed digits of 6x + 2, the lowest first.
    const ATE_LOOP_COUNT: &'static [i8] = &[
        0, 0, 0, 1, 0, 1, 0, -1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, -1, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0, -1, 0, 0, 1, 0, -1, 0,
        0, 1, 0, 0, 0, 0, 0, -1, 0, 0, -1, 0, 1, 0, -1, 0, 0, 0, -1, 0, -1, 0, 0, 0, 1, 0, 1, 1,
    ];
    const TWIST_MUL_BY_Q_X: Fq2 = constants::FROBENIUS_6[1];
    const TWIST_MUL_BY_Q_Y: Fq2 = constants::TWIST_Y;
    const TWIST_TYPE: TwistType = TwistType::D;
    type Fp = Fq;
    type Fp2Config = Fq2Config;
    type Fp6Config = Fq6Config;
    type Fp12Config = Fq12Config;
    type G1Config = g1::Config;
    type G2Config = g2::Config;

    fn multi_miller_loop(
        a: impl IntoIterator<Item = impl Into<bn::G1Prepared<Self>>>,
        b: impl IntoIterator<Item = impl Into<bn::G2Prepared<Self>>>,
    ) -> MillerLoopOutput<Bn254> {
        let a: Vec<bn::G1Prepared<Self>> = a.into_iter().map(Into::into).collect();
        let b: Vec<bn::G2Prepared<Self>> = b.into_iter().map(Into::into).collect();
        assert_eq!(a.len(), b.len(), "as many points of G1 as of G2");
        let finite = a.iter().zip(&b).filter(|(p, q)| !p.is_zero() && !q.is_zero());
        let mut pairs: Vec<_> = finite.map(|(p, q)| (Lines::new(&p.0), q.ell_coeffs.iter())).collect();
        let mut f = of(&Fq12::ONE);
        let mut lines = |f: &mut Six| {
            for (lines, coefficients) in &mut pairs {
                lines.times(f, coefficients.next().expect("a prepared point has a line for each step"));
            }
        };
        for (i, digit) in Self::ATE_LOOP_COUNT.iter().rev().skip(1).enumerate() {
            if i > 0 {
                f = result(|r| tower::square(r, &f));
            }
            lines(&mut f);
            if *digit != 0 {
                lines(&mut f);
            }
        }
        lines(&mut f); // of the images under the Frobenius map
        lines(&mut f);
        MillerLoopOutput(to(f))
    }

    /// The power of (p^12 - 1)/r times 2x (6x^2 + 3x + 1), by Fuentes-Castaneda, Knapp and Rodriguez-Henriquez (2011).
    fn final_exponentiation(f: MillerLoopOutput<Bn254>) -> Option<PairingOutput<Bn254>> {
        let inverse = of(&f.0.inverse()?);
        let mut r = of(&f.0);
        conjugate(&mut r);
        r = mul(&r, &inverse);
        r = mul(&frobenius(&r, 2), &r);
        let a = power_minus_x(&r);
        let b = square_cyclotomic(&a);
        let mut c = mul(&square_cyclotomic(&b), &b);
        let d = power_minus_x(&c);
        let mut e = power_minus_x(&square_cyclotomic(&d));
        conjugate(&mut c);
        conjugate(&mut e);
        let g = mul(&mul(&e, &d), &c);
        let h = mul(&g, &b);
        let start = mul(&mul(&g, &d), &r);
        conjugate(&mut r);
        let end = frobenius(&mul(&r, &h), 3);
        let middle = mul(&frobenius(&g, 2), &mul(&frobenius(&h, 1), &start));
        Some(PairingOutput(to(mul(&end, &middle))))
    }
}

fn frobenius(x: &Six, power: usize) -> Six {
    let mut image: Fq12 = to(*x);
    image.frobenius_map_in_place(power);
    of(&image)
}

fn power_minus_x(y: &Six) -> Six {
    let mut power = power_cyclotomic(y, Config::X[0]);
    conjugate(&mut power);
    power
}

/// r = f (a + b w + c w^3)
fn times_line(r: &mut Six, f: &Six, [a, b, c]: [&Fq2; 3]) {
    let (mut b_xi, mut c_xi) = (Room::uninit(), Room::uninit());
    let (b_xi, c_xi) = (product_in(&mut b_xi, b, Fq2::XI), product_in(&mut c_xi, c, Fq2::XI));
    unroll!(K in 0 1 2 3 4 5 => {
        set_product(&mut r[K], &f[K], a);
        add_product(&mut r[K], &f[(K + 5) % 6], if K >= 1 { b } else { b_xi });
        add_product(&mut r[K], &f[(K + 3) % 6], if K >= 3 { c } else { c_xi });
    });
}

/// A point of G1, at which lines are evaluated.
struct Lines {
    x: Fq2,
    y: Fq2,
}

impl Lines {
    fn new(p: &G1Affine) -> Self {
        Lines { x: Fq2::new(p.x, Fq::ZERO), y: Fq2::new(p.y, Fq::ZERO) }
    }

    fn times(&self, f: &mut Six, line: &(Fq2, Fq2, Fq2)) {
        let (mut c0, mut c1) = (line.0, line.1);
        tower::multiply(&mut c0, &self.y);
        tower::multiply(&mut c1, &self.x);
        *f = result(|r| times_line(r, f, [&c0, &c1, &line.2]));
    }
}
