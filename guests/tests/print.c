/* Printed text is shown, even without a final newline, and is not part of the output. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d and %s, %.3f\n", 42, "text", 2.5);
    fputs("an error\n", stderr);
    for (int i = 0; i < 1500; i++) putchar('x');
    printf(" end");
    if (getchar() != EOF) return 1;
    exit(0);
}
