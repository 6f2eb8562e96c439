#include <assert.h>
#include <stdio.h>

int main(void) {
    printf("before ");
    int numbers = 11;
    assert(numbers < 10);
    return 0;
}
