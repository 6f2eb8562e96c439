//! Fp12 = Fp2[w]/(w^6 - xi), as the six coefficients of w^0 to w^5, with the accelerators for Fp2 = Fp[u]/(u^2 + 1). A
//! sum of products costs little more than a product, so there is no Karatsuba. A copy of an element costs as much as a
//! product, so functions write their results to a place of the caller.
use core::mem::{MaybeUninit, swap};

/// An element of Fp2 with accelerators: the words of its real part, then those of the other.
pub trait Extension: Copy + PartialEq + 'static {
    /// The call for sums, differences and products, and the call for sums of products.
    const CALLS: [usize; 2];
    const ZERO: Self;
    const TWO: &'static Self;
    const THREE: &'static Self;
    const MINUS_ONE: &'static Self;
    const MINUS_TWO: &'static Self;
    /// The sixth power of w.
    const XI: &'static Self;
    const THREE_XI: &'static Self;

    /// x = 1/x for an x that is not 0.
    fn invert(&mut self);
}

/// Unrolls a loop over values of a constant.
macro_rules! unroll {
    ($name:ident in $($value:literal)* => $body:block) => {
        $({
            const $name: usize = $value;
            $body
        })*
    };
}
pub(crate) use unroll;

/// r += x y
#[inline(always)]
pub fn add_product<E: Extension>(r: &mut E, x: &E, y: &E) {
    unsafe { crate::calls::call(E::CALLS[1], r, x, y) }
}

/// x = x y
#[inline(always)]
pub fn multiply<E: Extension>(x: &mut E, y: &E) {
    unsafe { crate::calls::call(E::CALLS[0], x, y, 0 as *const u8) }
}

/// x = x + y
#[inline(always)]
pub fn increase<E: Extension>(x: &mut E, y: &E) {
    unsafe { crate::calls::call(E::CALLS[0], x, y, 1 as *const u8) }
}

/// x = x - y
#[inline(always)]
pub fn decrease<E: Extension>(x: &mut E, y: &E) {
    unsafe { crate::calls::call(E::CALLS[0], x, y, 2 as *const u8) }
}

/// r = 0. The compiler would replace stores that are not volatile by a call of memset.
#[inline(always)]
fn clear<E: Extension>(r: *mut E) {
    for i in 0..size_of::<E>() / 8 {
        unsafe { r.cast::<u64>().add(i).write_volatile(0) }
    }
}

/// r = x
#[inline(always)]
pub fn set<E: Extension>(r: &mut E, x: &E) {
    copy(r, x)
}

#[inline(always)]
fn copy<E: Extension>(r: *mut E, x: &E) {
    let (r, x) = (r.cast::<u64>(), (&raw const *x).cast::<u64>());
    for i in 0..size_of::<E>() / 8 {
        unsafe { r.add(i).write_volatile(x.add(i).read()) }
    }
}

/// r = x y, where r is neither.
#[inline(always)]
pub fn set_product<E: Extension>(r: &mut E, x: &E, y: &E) {
    clear(r);
    add_product(r, x, y);
}

/// A place for an element that is not initialized.
pub type Room<E> = MaybeUninit<E>;

/// Sets an element to 0, for a sum of products.
#[inline(always)]
pub fn zero_in<E: Extension>(room: &mut Room<E>) -> &mut E {
    clear(room.as_mut_ptr());
    unsafe { room.assume_init_mut() }
}

/// Writes x to a place.
#[inline(always)]
pub fn copy_in<'a, E: Extension>(room: &'a mut Room<E>, x: &E) -> &'a mut E {
    copy(room.as_mut_ptr(), x);
    unsafe { room.assume_init_mut() }
}

/// Writes x y to a place.
#[inline(always)]
pub fn product_in<'a, E: Extension>(room: &'a mut Room<E>, x: &E, y: &E) -> &'a mut E {
    let r = zero_in(room);
    add_product(r, x, y);
    r
}

pub type Six<E> = [E; 6];

/// r = x y, where r is neither.
pub fn mul<E: Extension>(r: &mut Six<E>, x: &Six<E>, y: &Six<E>) {
    let mut high = [const { Room::<E>::uninit() }; 5];
    let high = high.each_mut().map(zero_in);
    unroll!(I in 0 1 2 3 4 5 => {
        clear(&mut r[I]);
    });
    unroll!(I in 0 1 2 3 4 5 => {
        unroll!(J in 0 1 2 3 4 5 => {
            if I + J < 6 {
                add_product(&mut r[I + J], &x[I], &y[J]);
            } else {
                add_product(high[I + J - 6], &x[I], &y[J]);
            }
        });
    });
    unroll!(I in 0 1 2 3 4 => {
        add_product(&mut r[I], high[I], E::XI);
    });
}

/// r = x^2: products of different coefficients count twice. r is not x.
pub fn square<E: Extension>(r: &mut Six<E>, x: &Six<E>) {
    let mut high = [const { Room::<E>::uninit() }; 4]; // w^10 has only a square
    let high = high.each_mut().map(zero_in);
    unroll!(I in 0 1 2 3 4 5 => {
        clear(&mut r[I]);
    });
    unroll!(I in 0 1 2 3 4 => {
        unroll!(J in 1 2 3 4 5 => {
            if I < J && I + J < 6 {
                add_product(&mut r[I + J], &x[I], &x[J]);
            } else if I < J {
                add_product(high[I + J - 6], &x[I], &x[J]);
            }
        });
    });
    unroll!(I in 0 1 2 3 => {
        add_product(&mut r[I], high[I], E::XI);
    });
    unroll!(I in 0 1 2 3 4 5 => {
        multiply(&mut r[I], E::TWO);
    });
    unroll!(I in 0 1 2 => {
        add_product(&mut r[2 * I], &x[I], &x[I]);
        add_product(&mut r[2 * I], product_in(&mut Room::uninit(), &x[3 + I], &x[3 + I]), E::XI);
    });
}

/// x^(p^6)
pub fn conjugate<E: Extension>(x: &mut Six<E>) {
    unroll!(I in 1 3 5 => {
        multiply(&mut x[I], E::MINUS_ONE);
    });
}

/// Writes two coefficients of a cyclotomic square, from a + by with y^2 = xi: 3 (a^2 + xi b^2) - 2x and 6 a b + 2y. If
/// the second wraps, its product is multiplied by xi.
#[inline(always)]
fn square_part<E: Extension>([first, second]: [&mut E; 2], [a, b]: [&E; 2], [x, y]: [&E; 2], wraps: bool) {
    let (mut room, mut other) = (Room::uninit(), Room::uninit());
    let triple = product_in(&mut room, a, E::THREE);
    set_product(first, x, E::MINUS_TWO);
    add_product(first, triple, a);
    if wraps {
        multiply(triple, E::XI);
    }
    set(second, y);
    add_product(second, triple, b);
    multiply(second, E::TWO);
    add_product(first, product_in(&mut other, b, E::THREE_XI), b);
}

/// r = x^2 for an x with x^(p^4 - p^2 + 1) = 1 (Granger and Scott, 2010): three squares in Fp4. r is not x.
pub fn square_cyclotomic<E: Extension>(r: &mut Six<E>, x: &Six<E>) {
    let [r0, r1, r2, r3, r4, r5] = r;
    let [x0, x1, x2, x3, x4, x5] = x;
    square_part([r0, r3], [x0, x3], [x0, x3], false);
    square_part([r4, r1], [x2, x5], [x4, x1], true);
    square_part([r2, r5], [x1, x4], [x2, x5], false);
}

/// x^n for a cyclotomic x and an n of 64 bits, not 0.
pub fn power_cyclotomic<E: Extension>(x: &Six<E>, n: u64) -> Six<E> {
    let mut places = [*x; 2];
    let [mut r, mut next] = places.each_mut();
    for i in (0..n.ilog2()).rev() {
        square_cyclotomic(next, r);
        swap(&mut r, &mut next);
        if n >> i & 1 != 0 {
            mul(next, r, x);
            swap(&mut r, &mut next);
        }
    }
    *r
}

/// Adds q to the affine point p over Fp2, or doubles p if q is None. Writes the slope s of the line through the points,
/// and the constant s x - y for any point of the line. If the line is vertical, returns false and does not change p.
pub fn step<E: Extension>([x, y]: &mut [E; 2], q: Option<&[E; 2]>, [slope, constant]: [&mut E; 2]) -> bool {
    let (mut rooms, mut room) = ([const { Room::<E>::uninit() }; 2], Room::uninit());
    let [above, below] = rooms.each_mut();
    let (above, below) = match q {
        Some(q) => {
            let (above, below) = (copy_in(above, &q[1]), copy_in(below, &q[0]));
            decrease(above, y);
            decrease(below, x);
            (above, below)
        }
        None => {
            let triple = product_in(&mut room, x, E::THREE);
            (product_in(above, triple, x), product_in(below, y, E::TWO))
        }
    };
    if *below == E::ZERO {
        return false;
    }
    below.invert();
    set_product(slope, above, below);
    set_product(constant, y, E::MINUS_ONE);
    add_product(constant, slope, x);
    let minus = product_in(&mut room, slope, E::MINUS_ONE);
    match q {
        Some(q) => increase(x, &q[0]),
        None => multiply(x, E::TWO),
    }
    add_product(x, slope, minus); // minus the new x
    set(y, constant);
    add_product(y, slope, x);
    multiply(x, E::MINUS_ONE);
    true
}
