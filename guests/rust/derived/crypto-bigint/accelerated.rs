//! Products by accelerators, of numbers that consist of digits of 256 bits.
#![allow(unsafe_code)]
use crate::uint::modular::mul::{mul_in_software, mul_montgomery_form};
use crate::uint::modular::reduction::reduction_in_software;
use crate::{Limb, Uint};
use core::arch::asm;
use core::mem::MaybeUninit;

type Digit = [Limb; 4];
type Pair<const LIMBS: usize> = (Uint<LIMBS>, Uint<LIMBS>);

/// Whether numbers with this number of limbs consist of digits.
pub(crate) const fn has_digits(limbs: usize) -> bool {
    limbs % 4 == 0
}

/// A sum of products of digits. It has a word more than two digits, for carries.
#[repr(C)]
struct Sum([u64; 9]);

impl Sum {
    const ZERO: Sum = Sum([0; 9]);

    /// Adds a product of digits.
    #[inline(always)]
    fn add(&mut self, x: *const Digit, y: *const Digit) {
        unsafe { asm!("ecall", in("a7") 0x112, in("a0") &mut self.0, in("a1") x, in("a2") y) }
    }

    /// Adds x[from] y[k - from] and so on to x[to - 1] y[k - to + 1].
    ///
    /// # Safety
    /// The numbers must have these digits.
    #[inline(always)]
    unsafe fn add_products(&mut self, x: *const Digit, y: *const Digit, k: usize, from: usize, to: usize) {
        let (mut next, end) = (x.wrapping_add(from), x.wrapping_add(to));
        let mut other = y.wrapping_add(k).wrapping_sub(from);
        while next != end {
            self.add(next, other);
            (next, other) = (next.wrapping_add(1), other.wrapping_sub(1));
        }
    }

    /// Adds a digit.
    #[inline(always)]
    fn add_digit(&mut self, x: *const Digit) {
        static ONE: Digit = [Limb(1), Limb(0), Limb(0), Limb(0)];
        self.add(x, &ONE);
    }

    /// Takes the lowest digit away, and returns it.
    #[inline(always)]
    fn take(&mut self) -> Digit {
        let [a, b, c, d, e, f, g, h, i] = self.0;
        self.0 = [e, f, g, h, i, 0, 0, 0, 0];
        [Limb(a), Limb(b), Limb(c), Limb(d)]
    }
}

fn digits<const LIMBS: usize>(x: &Uint<LIMBS>) -> *const Digit {
    x.as_limbs().as_ptr().cast()
}

/// The product's low and high part.
pub(crate) fn product<const L: usize, const H: usize>(x: &Uint<L>, y: &Uint<H>) -> (Uint<L>, Uint<H>) {
    let (mut low, mut high) = (MaybeUninit::<Uint<L>>::uninit(), MaybeUninit::<Uint<H>>::uninit());
    let (n, m, mut sum) = (L / 4, H / 4, Sum::ZERO);
    let (first, second) = (low.as_mut_ptr().cast::<Digit>(), high.as_mut_ptr().cast::<Digit>());
    for k in 0..n + m {
        unsafe {
            sum.add_products(digits(x), digits(y), k, (k + 1).saturating_sub(m), n.min(k + 1));
            if k < n {
                first.add(k).write(sum.take())
            } else {
                second.add(k - n).write(sum.take())
            }
        }
    }
    unsafe { (low.assume_init(), high.assume_init()) }
}

/// The low and high part of x x.
pub(crate) fn square<const LIMBS: usize>(x: &Uint<LIMBS>) -> Pair<LIMBS> {
    product(x, x)
}

/// -1/m modulo 2^256, given this modulo 2^64. An error e of m v = -1 + e is e^2 for v (2 + m v).
fn negative_inverse<const LIMBS: usize>(m: &Uint<LIMBS>, low: Limb) -> Digit {
    let mut v = [low, Limb(0), Limb(0), Limb(0)];
    for _ in 0..2 {
        let (mut factor, mut next) = (Sum([2, 0, 0, 0, 0, 0, 0, 0, 0]), Sum::ZERO);
        factor.add(digits(m), &v);
        next.add(&factor.take(), &v);
        v = next.take();
    }
    v
}

/// x/2^n modulo m, where m has n bits, for an x below 2^n m: Montgomery's reduction by digits.
pub(crate) fn reduction<const LIMBS: usize>(x: &Pair<LIMBS>, m: &Uint<LIMBS>, mod_neg_inv: Limb) -> Uint<LIMBS> {
    if LIMBS == 4 {
        return match inverse_of_2_256(m) {
            Some(inverse) => {
                let mut r = x.0;
                let [a, b, c, d] = unsafe { *digits(&x.1) };
                let [i, j, k, l] = inverse;
                let others = [i, j, k, l, a.0, b.0, c.0, d.0]; // x.0 inverse + x.1
                unsafe { asm!("ecall", in("a7") 0x110, in("a0") &mut r, in("a1") &others, in("a2") &field(m, 0)) }
                r
            }
            None => reduction_in_software(x, m, mod_neg_inv),
        };
    }
    let inverse = negative_inverse(m, mod_neg_inv);
    let (mut quotients, mut r) = (MaybeUninit::<Uint<LIMBS>>::uninit(), MaybeUninit::<Uint<LIMBS>>::uninit());
    let (q, n, mut sum) = (quotients.as_mut_ptr().cast::<Digit>(), LIMBS / 4, Sum::ZERO);
    for k in 0..n {
        sum.add_digit(digits(&x.0).wrapping_add(k));
        unsafe {
            sum.add_products(q, digits(m), k, 0, k);
            let mut quotient = Sum::ZERO;
            quotient.add(sum.0.as_ptr().cast(), &inverse);
            q.add(k).write(quotient.take());
            sum.add(q.add(k), digits(m));
        }
        sum.take(); // it is 0
    }
    for k in 0..n {
        sum.add_digit(digits(&x.1).wrapping_add(k));
        unsafe {
            sum.add_products(q, digits(m), n + k, k + 1, n);
            r.as_mut_ptr().cast::<Digit>().add(k).write(sum.take());
        }
    }
    unsafe { r.assume_init() }.sub_mod_with_carry(Limb(sum.0[0]), m, m)
}

/// A modulus of 256 bits and an operation modulo it: 0 for x y + z, 1 for 1/x.
fn field<const LIMBS: usize>(m: &Uint<LIMBS>, operation: u64) -> [u64; 5] {
    let [a, b, c, d] = unsafe { *digits(m) };
    [a.0, b.0, c.0, d.0, operation]
}

/// 1/2^256 modulo m, unless m is 1.
fn inverse_of_2_256<const LIMBS: usize>(m: &Uint<LIMBS>) -> Option<[u64; 4]> {
    static OTHERS: [u64; 8] = [2, 0, 0, 0, 0, 0, 0, 0]; // 2^256 = 2^255 y + z
    let (mut r, mut field) = ([0, 0, 0, 1 << 63], field(m, 0));
    if field == [1, 0, 0, 0, 0] {
        return None;
    }
    unsafe { asm!("ecall", in("a7") 0x110, in("a0") &mut r, in("a1") &OTHERS, in("a2") &field) }
    field[4] = 1;
    unsafe { asm!("ecall", in("a7") 0x110, in("a0") &mut r, in("a1") &OTHERS, in("a2") &field) }
    Some(r)
}

/// x y modulo m, for numbers of 256 bits.
#[inline(always)]
fn multiply<const LIMBS: usize>(x: &Uint<LIMBS>, y: *const Digit, m: &Uint<LIMBS>) -> Uint<LIMBS> {
    let mut r = *x;
    unsafe { asm!("ecall", in("a7") 0x102, in("a0") &mut r, in("a1") y, in("a2") m) }
    r
}

/// x y/2^256 modulo m, for numbers of 256 bits.
pub(crate) fn montgomery_product<const LIMBS: usize>(
    x: &Uint<LIMBS>,
    y: &Uint<LIMBS>,
    m: &Uint<LIMBS>,
    mod_neg_inv: Limb,
) -> Uint<LIMBS> {
    match inverse_of_2_256(m) {
        Some(inverse) => multiply(&multiply(x, digits(y), m), (&raw const inverse).cast(), m),
        None => mul_in_software(x, y, m, mod_neg_inv),
    }
}

/// The power of x in Montgomery's form, where r is 1.
pub(crate) fn power<const LIMBS: usize, const E: usize>(
    x: &Uint<LIMBS>,
    exponent: &Uint<E>,
    bits: usize,
    m: &Uint<LIMBS>,
    r: &Uint<LIMBS>,
    mod_neg_inv: Limb,
) -> Uint<LIMBS> {
    let inverse = if LIMBS == 4 { inverse_of_2_256(m) } else { None };
    let power = match inverse {
        Some(inverse) => {
            let x = multiply(x, (&raw const inverse).cast(), m); // not in Montgomery's form
            power_by(&x, exponent, bits, |x, y| multiply(x, digits(y), m)).map(|power| multiply(&power, digits(r), m))
        }
        None => power_by(x, exponent, bits, |x, y| mul_montgomery_form(x, y, m, mod_neg_inv)),
    };
    power.unwrap_or(*r)
}

/// The power of x by a product, or None if the exponent is 0. For a short exponent, windows would take more products.
fn power_by<const LIMBS: usize, const E: usize>(
    x: &Uint<LIMBS>,
    exponent: &Uint<E>,
    bits: usize,
    product: impl Fn(&Uint<LIMBS>, &Uint<LIMBS>) -> Uint<LIMBS>,
) -> Option<Uint<LIMBS>> {
    if bits < 32 {
        windows::<LIMBS, E, 1, 1>(x, exponent, bits, product)
    } else {
        windows::<LIMBS, E, 4, 15>(x, exponent, bits, product)
    }
}

fn windows<const LIMBS: usize, const E: usize, const WIDTH: usize, const POWERS: usize>(
    x: &Uint<LIMBS>,
    exponent: &Uint<E>,
    bits: usize,
    product: impl Fn(&Uint<LIMBS>, &Uint<LIMBS>) -> Uint<LIMBS>,
) -> Option<Uint<LIMBS>> {
    let mut powers = [*x; POWERS];
    for i in 1..POWERS {
        powers[i] = product(&powers[i - 1], x);
    }
    let mut power: Option<Uint<LIMBS>> = None;
    for window in (0..(bits + WIDTH - 1) / WIDTH).rev() {
        if let Some(power) = &mut power {
            for _ in 0..WIDTH {
                *power = product(power, power);
            }
        }
        let digit = (0..WIDTH).map(|i| window * WIDTH + i).filter(|i| *i < bits);
        let digit = digit.fold(0, |sum, i| sum | (exponent.as_words()[i / 64] >> (i % 64) & 1) << (i % WIDTH));
        if digit != 0 {
            let factor = &powers[digit as usize - 1];
            power = Some(power.map_or(*factor, |power| product(&power, factor)));
        }
    }
    power
}
