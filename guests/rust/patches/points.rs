//! Points of short Weierstrass curves with affine coordinates. Their order is odd, so no point has y = 0.

/// A curve with an accelerator, or over a field with accelerators.
pub trait Sums {
    type Coordinate: Copy + PartialEq;

    /// p = p + q, which have different x.
    fn add(p: &mut [Self::Coordinate; 2], q: &[Self::Coordinate; 2]);

    /// p = 2p
    fn double(p: &mut [Self::Coordinate; 2]);
}

/// A point, or infinity.
pub type Point<C> = Option<[<C as Sums>::Coordinate; 2]>;

pub fn add<C: Sums>(p: &mut Point<C>, q: &Point<C>) {
    match (p.as_mut(), q) {
        (_, None) => {}
        (None, _) => *p = *q,
        (Some(a), Some(b)) if a[0] != b[0] => C::add(a, b),
        (Some(a), Some(b)) if a[1] == b[1] => C::double(a),
        _ => *p = None,
    }
}

/// The multiples of a point by 1 to 15.
pub fn multiples<C: Sums>(p: &Point<C>) -> [Point<C>; 15] {
    let mut all = [*p; 15];
    for i in 1..all.len() {
        let mut next = all[i - 1];
        add::<C>(&mut next, p);
        all[i] = next;
    }
    all
}

/// The sum of points, given by their multiples, times scalars, four bits of all scalars at a time.
pub fn sum<C: Sums>(terms: &[([Point<C>; 15], &[u64])]) -> Point<C> {
    let words = terms.iter().map(|(_, scalar)| scalar.len()).max().unwrap_or(0);
    let mut sum: Point<C> = None;
    for window in (0..16 * words).rev() {
        if let Some(p) = &mut sum {
            (0..4).for_each(|_| C::double(p));
        }
        for (multiples, scalar) in terms {
            let digit = scalar.get(window / 16).map_or(0, |word| word >> (window % 16 * 4) & 15);
            if digit != 0 {
                add::<C>(&mut sum, &multiples[digit as usize - 1]);
            }
        }
    }
    sum
}
