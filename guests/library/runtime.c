/* The code between the first instruction and main, and the functions that C's library needs from the machine. */
#include "zkvm.h"
#include "zkvm_calls.h"

int main(void);

typedef void (*function)(void);
extern function __init_array_start[], __init_array_end[], __fini_array_start[], __fini_array_end[];

/* Runs atexit's functions, in programs that call it. */
__attribute__((weak)) void __call_exitprocs(int code, void *library);

/* Constructors, main, destructors. */
int zkvm_main(void) {
    for (function *f = __init_array_start; f < __init_array_end; f++) (*f)();
    int code = main();
    if (__call_exitprocs) __call_exitprocs(code, 0);
    for (function *f = __fini_array_end; f > __fini_array_start;) (*--f)();
    return code;
}

/* In stdio.c; programs that print nothing do not link it. */
__attribute__((weak)) void zkvm_flush(void);

_Noreturn void abort(void) {
    if (zkvm_flush) zkvm_flush();
    zkvm_exit(ZKVM_EXIT_ABORT);
}

static char *append(char *to, const char *end, const char *text) {
    while (*text && to < end) *to++ = *text++;
    return to;
}

/* Called by assert. */
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *expression) {
    if (zkvm_flush) zkvm_flush();
    char text[512], digits[12], *end = text + sizeof text - 1, *to = text, *digit = digits + sizeof digits;
    *--digit = 0;
    do *--digit = (char)('0' + line % 10);
    while (line /= 10);
    to = append(to, end, file);
    to = append(to, end, ":");
    to = append(to, end, digit);
    to = append(to, end, function ? ": " : "");
    to = append(to, end, function ? function : "");
    to = append(to, end, ": assertion failed: ");
    to = append(to, end, expression);
    *to++ = '\n';
    zkvm_note(text, (size_t)(to - text));
    abort();
}

_Noreturn void __assert_no_args(void) {
    static const char text[] = "assertion failed\n";
    zkvm_note(text, sizeof text - 1);
    abort();
}
