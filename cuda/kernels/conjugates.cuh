// Inverses of distances from base points to a point of the extension, using an inversion in the base field.
//
// The conjugates of x - z are x - z' and x - z'', so 1/(x - z) is (x - z')(x - z'') over the norm, which is the minimal
// polynomial of z at x and thus in the base field. Dividing X^3 + p2 X^2 + p1 X + p0 by X - z gives
// X^2 + (p2 + z) X + (p1 + p2 z + z^2).
#pragma once
#include "goldilocks.cuh"

struct Conjugates {
    Fp3 linear, constant;  // the minimal polynomial divided by X - z: X^2 + linear X + constant
    Fp p0, p1, p2;         // the minimal polynomial, monic

    DEVICE_MEMBER Fp norm(Fp x) const { return ((x + p2) * x + p1) * x + p0; }
    DEVICE_MEMBER Fp3 numerator(Fp x) const {
        return fp3((x + linear.a0) * x + constant.a0, linear.a1 * x + constant.a1, linear.a2 * x + constant.a2);
    }
};

// The minimal polynomial is the characteristic polynomial of multiplication by z, whose trace is 3 z0, whose
// principal minors add up to 3 z0^2 - 6 z1 z2 and whose determinant is z0^3 + 2 z1^3 + 4 z2^3 - 6 z0 z1 z2.
DEVICE Conjugates conjugates(const Fp3 &z) {
    Conjugates c;
    Fp six_crossed = fp(6) * z.a1 * z.a2;
    Fp cube1 = square(z.a1) * z.a1, cube2 = square(z.a2) * z.a2;
    c.p2 = -(fp(3) * z.a0);
    c.p1 = fp(3) * square(z.a0) - six_crossed;
    c.p0 = -((square(z.a0) - six_crossed) * z.a0 + fp(2) * cube1 + fp(4) * cube2);
    c.linear = z + c.p2;
    c.constant = z * c.p2 + z * z + c.p1;
    return c;
}
