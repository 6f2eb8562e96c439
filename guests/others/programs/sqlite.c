/* Runs the statements of the input on a database in memory and writes their rows. SQLite needs a file system: a guest
 * has no files, so this one opens nothing. */
#include "program.h"
#include "sqlite3.h"

#include <string.h>

static int refuse_open(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *out) {
    (void)v, (void)name, (void)flags, (void)out;
    f->pMethods = NULL;
    return SQLITE_CANTOPEN;
}
static int refuse_delete(sqlite3_vfs *v, const char *name, int sync) { return (void)v, (void)name, (void)sync, SQLITE_IOERR; }
static int no_access(sqlite3_vfs *v, const char *name, int flags, int *out) {
    (void)v, (void)name, (void)flags;
    *out = 0;
    return SQLITE_OK;
}
static int same_name(sqlite3_vfs *v, const char *name, int n, char *out) {
    (void)v;
    sqlite3_snprintf(n, out, "%s", name);
    return SQLITE_OK;
}
static int zeros(sqlite3_vfs *v, int n, char *out) {
    (void)v;
    memset(out, 0, (size_t)n);
    return n;
}
static int no_sleep(sqlite3_vfs *v, int microseconds) { return (void)v, microseconds; }
static int epoch(sqlite3_vfs *v, double *day) {
    (void)v;
    *day = 2440587.5;
    return SQLITE_OK;
}

int sqlite3_os_init(void) {
    static sqlite3_vfs none = {
        .iVersion = 1, .szOsFile = sizeof(sqlite3_file), .mxPathname = 64, .zName = "none", .xOpen = refuse_open,
        .xDelete = refuse_delete, .xAccess = no_access, .xFullPathname = same_name, .xRandomness = zeros,
        .xSleep = no_sleep, .xCurrentTime = epoch,
    };
    return sqlite3_vfs_register(&none, 1);
}
int sqlite3_os_end(void) { return SQLITE_OK; }

static int row(void *unused, int n, char **values, char **names) {
    (void)unused, (void)names;
    for (int i = 0; i < n; i++) program_printf("%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
    program_write("\n", 1);
    return 0;
}

int main(void) {
    size_t size;
    const uint8_t *input = program_input(&size);
    char *statements = sqlite3_mprintf("%.*s", (int)size, input), *message = NULL;
    sqlite3 *db;
    int status = sqlite3_open(":memory:", &db);
    if (!status) status = sqlite3_exec(db, statements, row, NULL, &message);
    if (status) program_printf("error %d: %s\n", status, message ? message : sqlite3_errmsg(db));
    sqlite3_close(db);
    return status != 0;
}
