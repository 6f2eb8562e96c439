/* What is printed is shown, also what has no newline at the end, and nothing of it is output. */
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
