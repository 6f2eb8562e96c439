//! The field Fp2 = Fp[u]/(u^2 + 1).
use crate::fp::Fp;
use crate::tower::{Extension, Room, copy_in, increase, multiply};
use core::fmt;
use core::ops::{Add, Mul, Neg};
use rand_core::RngCore;

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Fp2 {
    pub c0: Fp,
    pub c1: Fp,
}

impl Fp2 {
    pub const ONE: Fp2 = Fp2::real(Fp::ONE);

    pub const fn new(c0: [u64; 6], c1: [u64; 6]) -> Fp2 {
        Fp2 { c0: Fp(c0), c1: Fp(c1) }
    }

    pub const fn real(c0: Fp) -> Fp2 {
        Fp2 { c0, c1: Fp::ZERO }
    }

    /// The image under the Frobenius map.
    pub fn conjugate(&self) -> Fp2 {
        Fp2 { c0: self.c0, c1: -self.c1 }
    }

    pub fn random(rng: &mut impl RngCore) -> Fp2 {
        Fp2 { c0: Fp::random(rng), c1: Fp::random(rng) }
    }

    /// A root. For x + yu = (a + bu)^2 a number (x ± s)/2 with s^2 = x^2 + y^2 is a^2, and the other is -b^2.
    pub fn root(&self) -> Option<Fp2> {
        if self.c1 == Fp::ZERO {
            let (root, of_it) = self.c0.root();
            return Some(if of_it { Fp2::real(root) } else { Fp2 { c0: Fp::ZERO, c1: root } });
        }
        /// 1/2 = (p + 1)/2
        const HALF: Fp = Fp([
            0xdcff7fffffffd556, 0x0f55ffff58a9ffff, 0xb39869507b587b12, 0xb23ba5c279c2895f, 0x258dd3db21a5d66b,
            0x0d0088f51cbff34d,
        ]);
        let (norm, square) = (*self * self.conjugate()).c0.root();
        if !square {
            return None;
        }
        let (a, real) = ((self.c0 + norm) * HALF).root();
        let mut b = a;
        b.invert(); // a is not 0, because y is not
        b = b * self.c1 * HALF;
        Some(if real { Fp2 { c0: a, c1: b } } else { Fp2 { c0: b, c1: a } })
    }
}

impl Extension for Fp2 {
    const CALLS: [usize; 2] = [0x131, 0x133];
    const ZERO: Fp2 = Fp2::real(Fp::ZERO);
    const TWO: &'static Fp2 = &Fp2::real(Fp::small(2));
    const THREE: &'static Fp2 = &Fp2::real(Fp::small(3));
    const MINUS_ONE: &'static Fp2 = &Fp2::real(Fp::minus(1));
    const MINUS_TWO: &'static Fp2 = &Fp2::real(Fp::minus(2));
    const XI: &'static Fp2 = &Fp2 { c0: Fp::ONE, c1: Fp::ONE };
    const THREE_XI: &'static Fp2 = &Fp2 { c0: Fp::small(3), c1: Fp::small(3) };

    /// Multiplies the inverse of the norm by the conjugate.
    #[inline(always)]
    fn invert(&mut self) {
        let mut room = Room::uninit();
        let conjugate = copy_in(&mut room, self);
        conjugate.c1.negate();
        multiply(self, conjugate);
        self.c0.invert();
        multiply(self, conjugate);
    }
}

impl fmt::Debug for Fp2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} + {:?}*u", self.c0, self.c1)
    }
}

impl Neg for Fp2 {
    type Output = Fp2;

    #[inline]
    fn neg(mut self) -> Fp2 {
        multiply(&mut self, Fp2::MINUS_ONE);
        self
    }
}

impl Add for Fp2 {
    type Output = Fp2;

    fn add(mut self, other: Fp2) -> Fp2 {
        increase(&mut self, &other);
        self
    }
}

impl Mul for Fp2 {
    type Output = Fp2;

    fn mul(mut self, other: Fp2) -> Fp2 {
        multiply(&mut self, &other);
        self
    }
}
