//! Operators of values, made from the operators of references.

/// Implements an operator for two values, and for a value and a reference.
macro_rules! by_value {
    ([$($parameters:tt)*] $trait:ident::$method:ident, $left:ty, $right:ty => $output:ty) => {
        impl<$($parameters)*> core::ops::$trait<$right> for $left {
            type Output = $output;

            #[inline]
            fn $method(self, right: $right) -> $output {
                core::ops::$trait::$method(&self, &right)
            }
        }

        impl<'r, $($parameters)*> core::ops::$trait<&'r $right> for $left {
            type Output = $output;

            #[inline]
            fn $method(self, right: &'r $right) -> $output {
                core::ops::$trait::$method(&self, right)
            }
        }

        impl<'l, $($parameters)*> core::ops::$trait<$right> for &'l $left {
            type Output = $output;

            #[inline]
            fn $method(self, right: $right) -> $output {
                core::ops::$trait::$method(self, &right)
            }
        }
    };
}

/// Implements the assignment of an operator's result, for a value and a reference on the right.
macro_rules! assign {
    ([$($parameters:tt)*] $assign:ident::$assigned:ident by $trait:ident::$method:ident, $left:ty, $right:ty) => {
        impl<$($parameters)*> core::ops::$assign<$right> for $left {
            #[inline]
            fn $assigned(&mut self, right: $right) {
                *self = core::ops::$trait::$method(&*self, &right);
            }
        }

        impl<'r, $($parameters)*> core::ops::$assign<&'r $right> for $left {
            #[inline]
            fn $assigned(&mut self, right: &'r $right) {
                *self = core::ops::$trait::$method(&*self, right);
            }
        }
    };
}

/// Implements the difference of references as a sum.
macro_rules! subtract {
    ([$($parameters:tt)*] $left:ty, $right:ty => $output:ty) => {
        impl<'l, 'r, $($parameters)*> core::ops::Sub<&'r $right> for &'l $left {
            type Output = $output;

            #[inline]
            fn sub(self, right: &'r $right) -> $output {
                self + -right
            }
        }
    };
}

/// Implements the opposite of a value.
macro_rules! negate {
    ([$($parameters:tt)*] $type:ty) => {
        impl<$($parameters)*> core::ops::Neg for $type {
            type Output = $type;

            #[inline]
            fn neg(self) -> $type {
                -&self
            }
        }
    };
}

pub(crate) use {assign, by_value, negate, subtract};
