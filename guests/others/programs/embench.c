/* Runs one benchmark of embench-iot and writes its own verification of the result. */
#include "program.h"
#include "support.h"

int main(void) {
    initialise_benchmark();
    int result = benchmark();
    int right = verify_benchmark(result);
    program_printf("%s: result %d, %s\n", NAME, result, right == 1 ? "right" : "wrong");
    return right != 1;
}
