package cpu

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/chiasmus/chiasmus/prover/parallel"
)

// populateOnce advises the system against huge pages for small pieces, and does not for others. The system reports the
// advice for each memory area.
func TestPopulateAdvises(t *testing.T) {
	for advice, size := range map[string]*pageSize{"nh": {small: 1}, "hg": {}} {
		r := allocate(populateGrain / elementBytes)
		populateOnce(parallel.New(1), r.words, size)
		flags := flagsOf(t, uintptr(unsafe.Pointer(&r.words[0])))
		if len(flags) == 0 {
			t.Skip("the system does not say what it was advised")
		}
		if !slices.Contains(flags, advice) {
			t.Errorf("the piece has the flags %v, want %s among them", flags, advice)
		}
		r.release()
	}
}

// flagsOf returns the flags of the memory area that contains an address, named as in proc_pid_smaps(5). hg and nh stand
// for MADV_HUGEPAGE and MADV_NOHUGEPAGE of madvise(2).
func flagsOf(t *testing.T, address uintptr) []string {
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	inside := false
	for line := range strings.Lines(string(smaps)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			inside = from <= address && address < to
		}
		if flags, found := strings.CutPrefix(line, "VmFlags:"); found && inside {
			return strings.Fields(flags)
		}
	}
	return nil
}
