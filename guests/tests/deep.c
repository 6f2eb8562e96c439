/* Overflows the stack: its frames reach below the stack's limit, into the heap's range. */
static int descend(int depth) {
    volatile char frame[65536];
    frame[0] = (char)depth;
    return depth ? descend(depth - 1) + frame[0] : 0;
}

int main(void) { return descend(2100) & 0; }
