// Freestanding C++20: virtual functions, templates, constructors and destructors of globals, new and delete, lambdas,
// concepts, constant evaluation.
#include "zkvm.h"

#include <assert.h>
#include <stdio.h>

namespace {

struct Shape {
    virtual int area() const = 0;
    virtual ~Shape() { puts("a shape is gone"); }
};

struct Square final : Shape {
    int side;
    explicit Square(int s) : side(s) {}
    int area() const override { return side * side; }
};

struct alignas(64) Wide { int x = 9; };

Square global(3);

template <typename T> concept Number = requires(T x) { x + x; };
template <Number T> T twice(T x) { return x + x; }

consteval int at_compile_time(int x) { return x * 7; }

}

int main() {
    Shape *shape = new Square(at_compile_time(1));
    static Square local(2);
    auto sum = [&](int more) { return shape->area() + global.area() + local.area() + more; };
    int result = twice(sum(1));
    delete shape;
    Wide *wide = new Wide[3];
    assert(!(reinterpret_cast<uintptr_t>(wide) & 63) && wide[2].x == 9);
    delete[] wide;
    write_output(reinterpret_cast<const uint8_t *>(&result), sizeof result);
    return result == 2 * (49 + 9 + 4 + 1) ? 0 : 1;
}
