#include "field.h"

extension extension_join(const extension values[3]) {
    const element *a = values[0].c, *b = values[1].c, *c = values[2].c;
    return (extension){{
        element_add(a[0], element_add(element_add(b[2], b[2]), element_add(c[1], c[1]))),
        element_add(a[1], element_add(b[0], element_add(c[2], c[2]))),
        element_add(a[2], element_add(b[1], c[0])),
    }};
}

/* a^(p-2), p - 2 being 2^64 - 2^32 - 1. */
element element_inverse(element a) {
    element power = 1;
    uint64_t exponent = MODULUS - 2;
    for (int bit = 63; bit >= 0; bit--) {
        power = element_multiply(power, power);
        if (exponent >> bit & 1) power = element_multiply(power, a);
    }
    return power;
}

/* The product of the two conjugates over the norm: those are a^2 - 2 b c, 2 c^2 - a b, b^2 - a c. */
extension extension_inverse(extension a) {
    element c0 = a.c[0], c1 = a.c[1], c2 = a.c[2];
    element bc = element_multiply(c1, c2), cc = element_multiply(c2, c2);
    extension adjoint = {{
        element_subtract(element_multiply(c0, c0), element_add(bc, bc)),
        element_subtract(element_add(cc, cc), element_multiply(c0, c1)),
        element_subtract(element_multiply(c1, c1), element_multiply(c0, c2)),
    }};
    element rest = element_add(element_multiply(c1, adjoint.c[2]), element_multiply(c2, adjoint.c[1]));
    element norm = element_add(element_multiply(c0, adjoint.c[0]), element_add(rest, rest));
    return extension_scale(adjoint, element_inverse(norm));
}

extension extension_square_times(extension a, int log) {
    while (log-- > 0) a = extension_multiply(a, a);
    return a;
}

#define ROOT 7277203076849721926ull /* of order 2^32 */

element root_of_unity(int log) {
    element root = ROOT;
    for (; log < TWO_ADICITY; log++) root = element_multiply(root, root);
    return root;
}

element root_inverse(int log) { return element_inverse(root_of_unity(log)); }

element inverse_power_of_two(int log) {
    element power = 1;
    while (log-- > 0) power = element_multiply(power, HALF);
    return power;
}
