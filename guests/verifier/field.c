#include "field.h"

#ifdef VERIFIER_GUEST
uint64_t row_calls_spared;

/* This takes five instructions per cell: the arguments stay in their registers. */
void row_add_spared(struct row_sum *s, const uint64_t cells[8], const extension coefficients[8]) {
    extension cell = {{0}};
    register extension *total __asm__("a0") = &s->total;
    register extension *factor __asm__("a1") = &cell;
    register const extension *coefficient __asm__("a2") = coefficients;
    register uint64_t code __asm__("a7") = ZKVM_CALL_FP3_MULTIPLY_ADD;
    uint64_t most = MODULUS - 1;
    __asm__("" : "+r"(most)); /* else the compiler computes this value again for every cell */
#define ADD_CELL(i) \
    if (cells[i] > most) s->refused = 1; \
    factor->c[0] = cells[i]; \
    __asm__ volatile("ecall" : : "r"(total), "r"(factor), "r"(coefficient), "r"(code) : "memory"); \
    coefficient++;
    ADD_CELL(0) ADD_CELL(1) ADD_CELL(2) ADD_CELL(3) ADD_CELL(4) ADD_CELL(5) ADD_CELL(6) ADD_CELL(7)
#undef ADD_CELL
}
#endif

extension extension_join(const extension values[3]) {
    const element *a = values[0].c, *b = values[1].c, *c = values[2].c;
    return (extension){{
        element_add(a[0], element_add(element_add(b[2], b[2]), element_add(c[1], c[1]))),
        element_add(a[1], element_add(b[0], element_add(c[2], c[2]))),
        element_add(a[2], element_add(b[1], c[0])),
    }};
}

static element square_times(element a, uint64_t times) {
    while (times-- > 0) a = element_multiply(a, a);
    return a;
}

/* Returns a^(p-2). p - 2 is 2^64 - 2^32 - 1: in binary 31 ones, a zero, and 32 ones. */
element element_inverse(element a) {
    element ones3 = element_multiply(square_times(element_multiply(square_times(a, 1), a), 1), a);
    element ones6 = element_multiply(square_times(ones3, 3), ones3);
    element ones12 = element_multiply(square_times(ones6, 6), ones6);
    element ones24 = element_multiply(square_times(ones12, 12), ones12);
    element ones30 = element_multiply(square_times(ones24, 6), ones6);
    element ones31 = element_multiply(square_times(ones30, 1), a);
    element ones32 = element_multiply(square_times(ones31, 1), a);
    return element_multiply(square_times(ones31, 33), ones32);
}

/* Divides the product of the two conjugates, (a^2 - 2 b c, 2 c^2 - a b, b^2 - a c), by the norm. */
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

extension extension_square_times(extension a, uint64_t log) {
    while (log-- > 0) a = extension_multiply(a, a);
    return a;
}

#define ROOT 7277203076849721926ull /* of order 2^32 */

element root_of_unity(uint64_t log) {
    element root = ROOT;
    for (; log < TWO_ADICITY; log++) root = element_multiply(root, root);
    return root;
}

element root_inverse(uint64_t log) { return element_inverse(root_of_unity(log)); }

element inverse_power_of_two(uint64_t log) {
    element power = 1;
    while (log-- > 0) power = element_multiply(power, HALF);
    return power;
}
