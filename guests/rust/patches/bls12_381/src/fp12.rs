//! The field Fp12, as [crate::tower] has it.
use crate::fp2::Fp2;
use crate::tower::{self, Extension, Six, conjugate, mul, multiply};
use core::array::from_fn;
use core::fmt;
use rand_core::RngCore;

/// The coefficients of w^0 to w^5.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fp12(pub Six<Fp2>);

/// xi^(i (p - 1)/6), for i from 1 on
static FROBENIUS: [Fp2; 5] = [
    Fp2::new(
        [
            0x8d0775ed92235fb8, 0xf67ea53d63e7813d, 0x7b2443d784bab9c4, 0x0fd603fd3cbd5f4f, 0xc231beb4202c0d1f,
            0x1904d3bf02bb0667,
        ],
        [
            0x2cf78a126ddc4af3, 0x282d5ac14d6c7ec2, 0xec0c8ec971f63c5f, 0x54a14787b6c7b36f, 0x88e9e902231f9fb8,
            0x00fc3e2b36c4e032,
        ],
    ),
    Fp2::new(
        [0; 6],
        [
            0x8bfd00000000aaac, 0x409427eb4f49fffd, 0x897d29650fb85f9b, 0xaa0d857d89759ad4, 0xec02408663d4de85,
            0x1a0111ea397fe699,
        ],
    ),
    Fp2::new(
        [
            0xc81084fbede3cc09, 0xee67992f72ec05f4, 0x77f76e17009241c5, 0x48395dabc2d3435e, 0x6831e36d6bd17ffe,
            0x06af0e0437ff400b,
        ],
        [
            0xc81084fbede3cc09, 0xee67992f72ec05f4, 0x77f76e17009241c5, 0x48395dabc2d3435e, 0x6831e36d6bd17ffe,
            0x06af0e0437ff400b,
        ],
    ),
    Fp2::new(
        [
            0x8bfd00000000aaad, 0x409427eb4f49fffd, 0x897d29650fb85f9b, 0xaa0d857d89759ad4, 0xec02408663d4de85,
            0x1a0111ea397fe699,
        ],
        [0; 6],
    ),
    Fp2::new(
        [
            0x9b18fae980078116, 0xc63a3e6e257f8732, 0x8beadf4d8e9c0566, 0xf39816240c0b8fee, 0xdf47fa6b48b1e045,
            0x05b2cfd9013a5fd8,
        ],
        [
            0x1ee605167ff82995, 0x5871c1908bd478cd, 0xdb45f3536814f0bd, 0x70df3560e77982d0, 0x6bd3ad4afa99cc91,
            0x144e4211384586c1,
        ],
    ),
];

impl Fp12 {
    pub const ZERO: Fp12 = Fp12([<Fp2 as Extension>::ZERO; 6]);
    pub const ONE: Fp12 = {
        let mut one = Fp12::ZERO;
        one.0[0] = Fp2::ONE;
        one
    };

    /// Coefficients in the order of a tower over v = w^2: those of 1, v and v^2, then those of w, vw and v^2 w.
    pub const fn of_tower([a, b, c, d, e, f]: [Fp2; 6]) -> Fp12 {
        Fp12([a, d, b, e, c, f])
    }

    pub fn random(rng: &mut impl RngCore) -> Fp12 {
        Fp12::of_tower(from_fn(|_| Fp2::random(rng)))
    }

    pub fn mul(&self, other: &Fp12) -> Fp12 {
        let mut r = Fp12::ZERO;
        mul(&mut r.0, &self.0, &other.0);
        r
    }

    /// x^(p^6)
    pub fn conjugate(&self) -> Fp12 {
        let mut r = *self;
        conjugate(&mut r.0);
        r
    }

    /// x^p
    pub fn frobenius(&self) -> Fp12 {
        let mut r = *self;
        for (i, c) in r.0.iter_mut().enumerate() {
            c.c1.negate();
            if i > 0 {
                multiply(c, &FROBENIUS[i - 1]);
            }
        }
        r
    }

    /// 1/x for an x that is not 0. It is y/(x y), where y is the product of the conjugates of x over Fp2 other than x,
    /// so that x y is in Fp2. The conjugates are the images under powers of the map x^(p^2).
    pub fn inverse(&self) -> Fp12 {
        let conjugate = self.conjugate();
        let even = self.mul(&conjugate);
        let second = even.frobenius().frobenius();
        let others = second.mul(&second.frobenius().frobenius());
        let mut inverse = even.mul(&others).0[0];
        inverse.invert();
        let mut r = others.mul(&conjugate);
        r.0.iter_mut().for_each(|c| multiply(c, &inverse));
        r
    }

    pub fn square_cyclotomic(&self) -> Fp12 {
        let mut r = Fp12::ZERO;
        tower::square_cyclotomic(&mut r.0, &self.0);
        r
    }
}

impl fmt::Debug for Fp12 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, d, b, e, c, g] = &self.0;
        write!(f, "{a:?} + ({b:?})*v + ({c:?})*v^2 + ({d:?} + ({e:?})*v + ({g:?})*v^2)*w")
    }
}
