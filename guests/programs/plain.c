/* The runtime that the programs of this folder had when they were measured. Tests' models, cell counts and documented
 * figures refer to these programs byte for byte, so they keep this runtime and picolibc's memory functions. */
#include "zkvm.h"

int main(void);

typedef void (*function)(void);
extern function __init_array_start[], __init_array_end[], __fini_array_start[], __fini_array_end[];

/* Constructors, main, destructors. */
int zkvm_main(void) {
    for (function *f = __init_array_start; f < __init_array_end; f++) (*f)();
    int code = main();
    for (function *f = __fini_array_end; f > __fini_array_start;) (*--f)();
    return code;
}

_Noreturn void abort(void) { zkvm_exit(ZKVM_EXIT_ABORT); }

/* Called by assert: there is nowhere to print. */
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *expression) {
    (void)file, (void)line, (void)function, (void)expression;
    abort();
}
_Noreturn void __assert_no_args(void) { abort(); }
