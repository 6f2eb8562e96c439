//! Fp12 = Fp2[w]/(w^6 - xi), as the six coefficients of w^0 to w^5, with the accelerators for Fp2 = Fp[u]/(u^2 + 1). A
//! sum of products costs little more than a product, so there is no Karatsuba.
use ark_ff::fp12_2over3over2::{Fp12, Fp12Config};
use ark_ff::{Fp2, Fp2Config, Fp6, Fp6Config};
use core::array::from_fn;

/// Fp2 with accelerators.
pub trait Extension: Fp2Config {
    /// The call for sums, differences and products, and the call for sums of products.
    const CALLS: [usize; 2];
    const ZERO: Fp2<Self>;
    const THREE: Fp2<Self>;
    const MINUS_TWO: Fp2<Self>;
    /// The sixth power of w.
    const XI: Fp2<Self>;
    const THREE_XI: Fp2<Self>;
}

/// r += x y
#[inline(always)]
pub fn add_product<E: Extension>(r: &mut Fp2<E>, x: &Fp2<E>, y: &Fp2<E>) {
    unsafe { crate::calls::call(E::CALLS[1], r, x, y) }
}

/// x = x y
#[inline(always)]
pub fn multiply<E: Extension>(x: &mut Fp2<E>, y: &Fp2<E>) {
    unsafe { crate::calls::call(E::CALLS[0], x, y, 0 as *const u8) }
}

/// x = x + y
#[inline(always)]
pub fn increase<E: Extension>(x: &mut Fp2<E>, y: &Fp2<E>) {
    unsafe { crate::calls::call(E::CALLS[0], x, y, 1 as *const u8) }
}

/// x = x - y
#[inline(always)]
pub fn decrease<E: Extension>(x: &mut Fp2<E>, y: &Fp2<E>) {
    unsafe { crate::calls::call(E::CALLS[0], x, y, 2 as *const u8) }
}

#[inline(always)]
fn product<E: Extension>(x: &Fp2<E>, y: &Fp2<E>) -> Fp2<E> {
    let mut r = *x;
    multiply(&mut r, y);
    r
}

pub type Six<E> = [Fp2<E>; 6];

/// The coefficients of an element of ark-ff's tower, where w^2 = v.
pub fn of<P: Fp12Config>(x: &Fp12<P>) -> Six<<P::Fp6Config as Fp6Config>::Fp2Config> {
    [x.c0.c0, x.c1.c0, x.c0.c1, x.c1.c1, x.c0.c2, x.c1.c2]
}

pub fn to<P: Fp12Config>(x: Six<<P::Fp6Config as Fp6Config>::Fp2Config>) -> Fp12<P> {
    Fp12::new(Fp6::new(x[0], x[2], x[4]), Fp6::new(x[1], x[3], x[5]))
}

fn reduce<E: Extension>(low: &mut Six<E>, high: &[Fp2<E>]) {
    for (low, high) in low.iter_mut().zip(high) {
        add_product(low, high, &E::XI);
    }
}

pub fn mul<E: Extension>(x: &Six<E>, y: &Six<E>) -> Six<E> {
    let (mut low, mut high) = ([E::ZERO; 6], [E::ZERO; 5]);
    for i in 0..6 {
        for j in 0..6 {
            add_product(if i + j < 6 { &mut low[i + j] } else { &mut high[i + j - 6] }, &x[i], &y[j]);
        }
    }
    reduce(&mut low, &high);
    low
}

/// x^2: products of different coefficients count twice.
pub fn square<E: Extension>(x: &Six<E>) -> Six<E> {
    let (mut low, mut high) = ([E::ZERO; 6], [E::ZERO; 4]); // w^10 has only a square
    for i in 0..6 {
        for j in i + 1..6 {
            add_product(if i + j < 6 { &mut low[i + j] } else { &mut high[i + j - 6] }, &x[i], &x[j]);
        }
    }
    reduce(&mut low, &high);
    for c in &mut low {
        let same = *c;
        increase(c, &same);
    }
    for i in 0..3 {
        add_product(&mut low[2 * i], &x[i], &x[i]);
        add_product(&mut low[2 * i], &product(&x[3 + i], &x[3 + i]), &E::XI);
    }
    low
}

/// x times the sum of some coefficients times powers of w.
pub fn mul_sparse<E: Extension>(x: &Six<E>, terms: [(usize, Fp2<E>); 3]) -> Six<E> {
    let wrapped = terms.map(|(_, c)| product(&c, &E::XI));
    from_fn(|k| {
        let mut sum = E::ZERO;
        for ((power, c), wrapped) in terms.iter().zip(&wrapped) {
            add_product(&mut sum, &x[(k + 6 - power) % 6], if k >= *power { c } else { wrapped });
        }
        sum
    })
}

/// x^(p^6)
pub fn conjugate<E: Extension>(x: &mut Six<E>) {
    for i in [1, 3, 5] {
        x[i] = -x[i];
    }
}

/// Two coefficients of a cyclotomic square, from a + by with y^2 = xi: 3 (a^2 + xi b^2) - 2x and 6 a b + 2y. If the
/// second wraps, its product is multiplied by xi.
fn square_part<E: Extension>(a: &Fp2<E>, b: &Fp2<E>, x: &Fp2<E>, y: &Fp2<E>, wraps: bool) -> [Fp2<E>; 2] {
    let (mut first, mut second) = (product(x, &E::MINUS_TWO), *y);
    let mut triple = product(a, &E::THREE);
    add_product(&mut first, &triple, a);
    if wraps {
        multiply(&mut triple, &E::XI);
    }
    add_product(&mut second, &triple, b);
    let half = second;
    increase(&mut second, &half);
    add_product(&mut first, &product(b, &E::THREE_XI), b);
    [first, second]
}

/// x^2 for an x with x^(p^4 - p^2 + 1) = 1 (Granger and Scott, 2010): three squares in Fp4.
pub fn square_cyclotomic<E: Extension>(x: &Six<E>) -> Six<E> {
    let [c0, c3] = square_part(&x[0], &x[3], &x[0], &x[3], false);
    let [c4, c1] = square_part(&x[2], &x[5], &x[4], &x[1], true);
    let [c2, c5] = square_part(&x[1], &x[4], &x[2], &x[5], false);
    [c0, c1, c2, c3, c4, c5]
}

/// x^n for a cyclotomic x and an n of 64 bits, not 0.
pub fn power_cyclotomic<E: Extension>(x: &Six<E>, n: u64) -> Six<E> {
    let mut r = *x;
    for i in (0..n.ilog2()).rev() {
        r = square_cyclotomic(&r);
        if n >> i & 1 != 0 {
            r = mul(&r, x);
        }
    }
    r
}

/// The affine sum of two points over Fp2 with different x, or the double of a point if q is None.
pub fn add_points<E: Extension>(p: &mut [Fp2<E>; 2], q: Option<&[Fp2<E>; 2]>) {
    let [x, y] = *p;
    let (mut slope, mut below) = match q {
        Some(q) => {
            let [mut below, mut above] = *q;
            decrease(&mut above, &y);
            decrease(&mut below, &x);
            (above, below)
        }
        None => {
            let mut above = product(&x, &x);
            let (same, mut below) = (above, y);
            increase(&mut above, &same);
            increase(&mut above, &same);
            increase(&mut below, &y);
            (above, below)
        }
    };
    below = ark_ff::Field::inverse(&below).expect("the points have different x, and none has y = 0");
    multiply(&mut slope, &below);
    let mut sum = product(&slope, &slope);
    decrease(&mut sum, &x);
    decrease(&mut sum, q.map_or(&x, |q| &q[0]));
    let mut minus = sum;
    decrease(&mut minus, &x); // the new y is slope (x - new x) - y
    multiply(&mut minus, &slope);
    increase(&mut minus, &y);
    *p = [sum, -minus];
}
