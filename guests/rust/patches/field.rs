//! Prime fields of ark-ff whose elements are stored as plain numbers, because the accelerators multiply numbers. For
//! ark-ff this is Montgomery's form with R = 1.

/// Declares a field and its configuration: the modulus, a generator and its power whose order is the largest power of
/// 2; optionally, the base and the power of a small subgroup, with a generator's power whose order has both.
macro_rules! field {
    (
        $field:ident, $config:ident, $words:literal, $modulus:expr, $generator:literal, $root:expr
        $(, ($base:literal, $power:literal, $large:expr))?
    ) => {
        pub struct $config;
        pub type $field = ark_ff::Fp<ark_ff::MontBackend<$config, $words>, $words>;

        const _: () = {
            use $crate::calls::{self, Operation};
            use ark_ff::{BigInt, MontConfig};
            static MULTIPLY: Operation<$words> = Operation::multiply($modulus);
            static INVERT: Operation<$words> = Operation::invert($modulus);

            const fn small(n: u64) -> BigInt<$words> {
                let mut words = [0; $words];
                words[0] = n;
                BigInt(words)
            }

            impl MontConfig<$words> for $config {
                const MODULUS: BigInt<$words> = BigInt($modulus);
                const R: BigInt<$words> = small(1);
                // ark-ff makes constants with its own product, which divides by 2^256 or 2^384.
                const R2: BigInt<$words> = Self::MODULUS.montgomery_r();
                const GENERATOR: $field = $field::new_unchecked(small($generator));
                const TWO_ADIC_ROOT_OF_UNITY: $field = $field::new_unchecked(BigInt($root));
                $(
                    const SMALL_SUBGROUP_BASE: Option<u32> = Some($base);
                    const SMALL_SUBGROUP_BASE_ADICITY: Option<u32> = Some($power);
                    const LARGE_SUBGROUP_ROOT_OF_UNITY: Option<$field> = Some($field::new_unchecked(BigInt($large)));
                )?

                #[inline(always)]
                fn mul_assign(a: &mut $field, b: &$field) {
                    unsafe { calls::multiply(&mut a.0.0, &b.0.0, &MULTIPLY) }
                }

                #[inline(always)]
                fn square_in_place(a: &mut $field) {
                    let number = &raw mut a.0.0;
                    unsafe { calls::multiply(number, number, &MULTIPLY) }
                }

                fn sum_of_products<const M: usize>(a: &[$field; M], b: &[$field; M]) -> $field {
                    let mut sum = <$field as ark_ff::AdditiveGroup>::ZERO;
                    for (a, b) in a.iter().zip(b) {
                        let mut product = *a;
                        calls::multiply_add(&mut product.0.0, &b.0.0, &sum.0.0, &MULTIPLY);
                        sum = product;
                    }
                    sum
                }

                fn inverse(a: &$field) -> Option<$field> {
                    let mut inverse = *a;
                    if inverse.0 == BigInt([0; $words]) {
                        return None;
                    }
                    calls::operate(&mut inverse.0.0, &INVERT);
                    Some(inverse)
                }

                #[inline]
                fn from_bigint(number: BigInt<$words>) -> Option<$field> {
                    (number < Self::MODULUS).then_some($field::new_unchecked(number))
                }

                #[inline]
                fn into_bigint(a: $field) -> BigInt<$words> {
                    a.0
                }
            }
        };
    };
}
pub(crate) use field;
