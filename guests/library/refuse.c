/* Functions that a guest lacks: files, a clock, randomness, processes. A program that calls one of these functions
 * links with a warning, and the call fails with ENOSYS at run time. guests/cc --no-files omits these functions, which
 * makes the call a linker error. */
#include <errno.h>
#include <stddef.h>

#define REFUSE(result, name, parameters, what) \
    static const char name##_warning[] __attribute__((used, section(".gnu.warning." #name))) = #name ": a guest has no " what; \
    result name parameters { \
        errno = ENOSYS; \
        return (result)-1; \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"

struct stat;
struct timeval;
struct tms;

#if defined REFUSE_OPEN
REFUSE(int, open, (const char *path, int flags, ...), "files: its input is read_input")
#elif defined REFUSE_READ
REFUSE(long, read, (int file, void *to, size_t n), "files: its input is read_input")
#elif defined REFUSE_WRITE
REFUSE(long, write, (int file, const void *from, size_t n), "files: its output is write_output, and printf shows text")
#elif defined REFUSE_LSEEK
REFUSE(long, lseek, (int file, long offset, int from), "files")
#elif defined REFUSE_CLOSE
REFUSE(int, close, (int file), "files")
#elif defined REFUSE_UNLINK
REFUSE(int, unlink, (const char *path), "files")
#elif defined REFUSE_STAT
REFUSE(int, stat, (const char *path, struct stat *to), "files")
#elif defined REFUSE_FSTAT
REFUSE(int, fstat, (int file, struct stat *to), "files")
#elif defined REFUSE_RENAME
REFUSE(int, rename, (const char *from, const char *to), "files")
#elif defined REFUSE_ACCESS
REFUSE(int, access, (const char *path, int mode), "files")
#elif defined REFUSE_MKDIR
REFUSE(int, mkdir, (const char *path, unsigned mode), "files")
#elif defined REFUSE_CLOCK_GETTIME
REFUSE(int, clock_gettime, (int clock, void *to), "clock: a proof is the same whenever it is made")
#elif defined REFUSE_NANOSLEEP
REFUSE(int, nanosleep, (const void *for_how_long, void *left), "clock: a proof is the same whenever it is made")
#elif defined REFUSE_GETTIMEOFDAY
REFUSE(int, gettimeofday, (struct timeval *to, void *zone), "clock: a proof is the same whenever it is made")
#elif defined REFUSE_TIMES
REFUSE(long, times, (struct tms *to), "clock: a proof is the same whenever it is made")
#elif defined REFUSE_GETENTROPY
REFUSE(int, getentropy, (void *to, size_t n), "randomness: a proof is of one run; take it from the input")
#elif defined REFUSE_KILL
REFUSE(int, kill, (int process, int signal), "processes")
#elif defined REFUSE_GETPID
REFUSE(int, getpid, (void), "processes")
#endif
