// Logic: of registers by bytes, of a register and a constant by its two lower bytes.
#pragma once
#include "cells.cuh"

template <class C> DEVICE void logic(const Row<C> &row, const Binary &x, const ProgramRow &k) {
    row.binary(x, k);
    row.put(C::op, k.k[0]);
    row.put_bytes(C::x0, x.a, 8), row.put_bytes(C::y0, x.b, 8), row.put_bytes(C::z0, x.result, 8);
}

template <class C> DEVICE void logic_constant(const Row<C> &row, const Unary &x, const ProgramRow &k) {
    row.unary(x, k);
    row.put(C::op, k.k[0]), row.put(C::i0, k.k[1]), row.put(C::i1, k.k[2]), row.put(C::ka, k.k[3]),
        row.put(C::kb, k.k[4]);
    row.a(x.a);
    row.put_bytes(C::x0, x.a, 2), row.put_bytes(C::z0, x.result, 2);
    row.put_limbs(C::clo, C::chi, x.result);
}
