/* Files, clocks and randomness fail as C permits. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int getentropy(void *, size_t);

int main(void) {
    char byte;
    assert(open("file", O_RDONLY) == -1 && errno == ENOSYS);
    assert(!fopen("file", "r"));
    assert(time(NULL) == (time_t)-1);
    errno = 0;
    assert(getentropy(&byte, 1) == -1 && errno == ENOSYS);
    return 0;
}
