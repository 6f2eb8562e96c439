/* The verifier as a program of the host. Without arguments, it verifies proofs from its standard input, each after its
 * length (LE32), the wanted program id (32 bytes) and a byte: 1 to accept any strength, plus 2 if the proof is in
 * words. Its answer to each is a line with the verdict's name. With arguments PROOF [PROGRAM-ID], it verifies one file
 * and prints its statement. */
#include "machine.h"
#include "verifier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct machine machine_fib, machine_rv64im;
#ifdef VERIFIER_TESTED /* with the machines whose sources tests generate */
extern const struct machine machine_keccak, machine_tour;
#endif
const struct machine *const verifier_machines[] = {
    &machine_fib,
    &machine_rv64im,
#ifdef VERIFIER_TESTED
    &machine_keccak,
    &machine_tour,
#endif
    NULL,
};

#define VERIFIER_NAME(name, text) #name,
static const char *const names[] = {VERIFIER_ERRORS(VERIFIER_NAME)};

static void *workspace_new(void) {
    size_t size = (verifier_workspace_size() + VERIFIER_ALIGNMENT - 1) / VERIFIER_ALIGNMENT * VERIFIER_ALIGNMENT;
    void *workspace = aligned_alloc(VERIFIER_ALIGNMENT, size);
    if (!workspace) {
        fprintf(stderr, "verifier: no memory for a workspace of %zu bytes\n", size);
        exit(2);
    }
    return workspace;
}

static void print_bytes(const char *name, const uint8_t *bytes, size_t size) {
    printf("%-11s ", name);
    for (size_t i = 0; i < size; i++) printf("%02x", bytes[i]);
    printf("\n");
}

static void print_statement(const struct verifier_statement *s) {
    printf("machine     %s\nshards      %llu\n", s->machine, (unsigned long long)s->shards);
    if (strcmp(s->machine, "rv64im") != 0) {
        for (uint64_t i = 0; i < s->value_count; i++)
            printf("public %-4llu %llu\n", (unsigned long long)i, (unsigned long long)s->values[i]);
        return;
    }
    print_bytes("program", s->program_id, 32);
    print_bytes("image", s->image, 32);
    printf("cycles      %llu\nexit        %llu\nmisaligned  %llu\n", (unsigned long long)s->values[2],
           (unsigned long long)(s->values[0] | s->values[1] << 32), (unsigned long long)s->values[3]);
    print_bytes("input", s->input, s->input_size);
    print_bytes("output", s->output, s->output_size);
}

/* Verifies a copy of exactly the file's size, so that sanitizers detect reads beyond it. */
static int serve(void *workspace) {
    uint8_t head[4 + 32 + 1];
    while (fread(head, sizeof head, 1, stdin) == 1) {
        uint32_t size;
        struct verifier_statement statement;
        struct verifier_options options = {head + 4, head[36] & 1, head[36] >> 1};
        memcpy(&size, head, 4);
        uint8_t *file = malloc(size ? size : 1);
        if (!file || (size && fread(file, size, 1, stdin) != 1)) return 2;
        printf("%s\n", names[verifier_verify(workspace, file, size, &options, &statement)]);
        fflush(stdout);
        free(file);
    }
    return 0;
}

static int hex_digest(const char *text, uint8_t bytes[32]) {
    if (strlen(text) != 64) return 0;
    for (int i = 0; i < 32; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) return 0;
        bytes[i] = (uint8_t)byte;
    }
    return 1;
}

static uint8_t *read_file(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) return NULL;
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t *file = malloc(*size + 1);
    if (!file || fread(file, 1, *size, f) != *size) return NULL;
    fclose(f);
    return file;
}

/* Verifies one file and prints its statement. */
static int verify_path(void *workspace, const char *path, const uint8_t *id) {
    size_t size;
    struct verifier_statement statement;
    struct verifier_options options = {id, 0, 0};
    uint8_t *file = read_file(path, &size);
    if (!file) {
        fprintf(stderr, "verifier: %s: cannot be read\n", path);
        return 2;
    }
    enum verifier_error error = verifier_verify(workspace, file, size, &options, &statement);
    if (error == VERIFIER_OK) print_statement(&statement);
    else fprintf(stderr, "verifier: %s: %s\n", path, verifier_error_text(error));
    free(file);
    return error != VERIFIER_OK;
}

int main(int argc, char **argv) {
    uint8_t id[32];
    if (argc > 3 || (argc == 3 && !hex_digest(argv[2], id))) {
        fprintf(stderr, "verifier: want PROOF [PROGRAM-ID], the id as 64 hexadecimal digits\n");
        return 2;
    }
    void *workspace = workspace_new();
    int code = argc == 1 ? serve(workspace) : verify_path(workspace, argv[1], argc > 2 ? id : NULL);
    free(workspace);
    return code;
}
