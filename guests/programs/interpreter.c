/* An interpreter of a small language. The public input is a program, the private input its numbers: a proof shows that
 * a public program computes its output from numbers that stay private.
 *
 * Words are separated by blanks. A number pushes itself; input pushes the next number of the private input (eight
 * bytes, lowest first), or 0 at its end, left how many remain; + - * / % < = and or not dup drop swap over compute on
 * the stack; { and } enclose a loop: { skips it if the value that it pops is 0, } repeats it unless its value is 0; set
 * NAME and get NAME use 26 variables, a to z; print writes a number and a newline. */
#include "zkvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STACK 256
#define NESTING 64

static int64_t stack[STACK], variables[26];
static size_t depth;

static void push(int64_t v) {
    if (depth == STACK) zkvm_exit(2);
    stack[depth++] = v;
}

static int64_t pop(void) {
    if (depth == 0) zkvm_exit(3);
    return stack[--depth];
}

static int is(const char *word, size_t n, const char *name) { return strlen(name) == n && memcmp(word, name, n) == 0; }

/* Returns the next word of [at, end); n is 0 at the end. */
static const char *next(const char *at, const char *end, size_t *n) {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t')) at++;
    const char *word = at;
    while (at < end && *at != ' ' && *at != '\n' && *at != '\t') at++;
    *n = (size_t)(at - word);
    return word;
}

static int binary(const char *word, size_t n) {
    if (n != 1 && !is(word, n, "and") && !is(word, n, "or")) return 0;
    if (n == 1 && !strchr("+-*/%<=", word[0])) return 0;
    int64_t b = pop(), a = pop();
    switch (word[0]) {
    case '+': push((int64_t)((uint64_t)a + (uint64_t)b)); break;
    case '-': push((int64_t)((uint64_t)a - (uint64_t)b)); break;
    case '*': push((int64_t)((uint64_t)a * (uint64_t)b)); break;
    case '/': push(b == 0 || (b == -1 && a == INT64_MIN) ? 0 : a / b); break;
    case '%': push(b == 0 || b == -1 ? 0 : a % b); break;
    case '<': push(a < b); break;
    case '=': push(a == b); break;
    case 'a': push(a & b); break;
    default: push(a | b);
    }
    return 1;
}

static int move(const char *word, size_t n) {
    if (is(word, n, "dup")) { int64_t a = pop(); push(a), push(a); }
    else if (is(word, n, "drop")) pop();
    else if (is(word, n, "swap")) { int64_t b = pop(), a = pop(); push(b), push(a); }
    else if (is(word, n, "over")) { int64_t b = pop(), a = pop(); push(a), push(b), push(a); }
    else if (is(word, n, "not")) push(pop() == 0);
    else return 0;
    return 1;
}

int main(void) {
    const uint8_t *source, *numbers;
    size_t size, left, n;
    read_public_input(&source, &size);
    read_input(&numbers, &left);
    const char *loops[NESTING], *at = (const char *)source, *end = at + size;
    size_t nested = 0;
    for (const char *word; word = next(at, end, &n), n > 0;) {
        at = word + n;
        if ((word[0] >= '0' && word[0] <= '9') || (word[0] == '-' && n > 1)) {
            char digits[24] = {0};
            if (n >= sizeof digits) zkvm_exit(4);
            memcpy(digits, word, n);
            push(strtoll(digits, 0, 10));
        } else if (is(word, n, "{")) {
            if (nested == NESTING) zkvm_exit(5);
            loops[nested++] = at;
            if (pop() == 0) {
                for (int open = 1; open > 0; at = word + n) {
                    word = next(at, end, &n);
                    if (n == 0) zkvm_exit(6);
                    open += is(word, n, "{") - is(word, n, "}");
                }
                nested--;
            }
        } else if (is(word, n, "}")) {
            if (nested == 0) zkvm_exit(6);
            if (pop() != 0) at = loops[nested - 1];
            else nested--;
        } else if (is(word, n, "set") || is(word, n, "get")) {
            int set = word[0] == 's';
            word = next(at, end, &n);
            at = word + n;
            if (n != 1 || word[0] < 'a' || word[0] > 'z') zkvm_exit(7);
            if (set) variables[word[0] - 'a'] = pop();
            else push(variables[word[0] - 'a']);
        } else if (is(word, n, "input")) {
            int64_t v = 0;
            if (left >= 8) memcpy(&v, numbers, 8), numbers += 8, left -= 8;
            push(v);
        } else if (is(word, n, "left")) {
            push((int64_t)(left / 8));
        } else if (is(word, n, "print")) {
            char line[32];
            int length = snprintf(line, sizeof line, "%lld\n", (long long)pop());
            write_output((const uint8_t *)line, (size_t)length);
        } else if (!binary(word, n) && !move(word, n)) {
            zkvm_exit(8);
        }
    }
    return nested == 0 ? 0 : 6;
}
