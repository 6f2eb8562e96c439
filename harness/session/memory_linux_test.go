package session_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/session"
)

// peak reads VmHWM of a process, in bytes.
func peak(t *testing.T, pid int) (bytes float64) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	var kilobytes float64
	if _, err := fmt.Sscanf(after, "%f kB", &kilobytes); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return kilobytes * 1024
}

// The memory of a proof is its own peak in bytes, not an earlier proof's.
func TestMemoryIsOfEachProof(t *testing.T) {
	const size = 32 << 20
	c := speaker(t, `x=; echo freed >>freed`)
	c.Argv[2] = strings.Replace(c.Argv[2], `echo "proof $id"`,
		fmt.Sprintf(`[ "$id" = 2 ] && x=$(head -c %d /dev/zero | tr '\0' x); echo "proof $id"`, size), 1)
	s, err := session.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Kill()
	var peaks []float64
	for id := int64(1); id <= 3; id++ {
		proof, err := s.Prove(t.Context(), request(t, id))
		if err != nil {
			t.Fatal(err)
		}
		got := proof.Usage.MaxRSSBytes
		if want := peak(t, s.PIDs()[0]); math.Abs(got-want) > 0.01*want {
			t.Errorf("proof %d: %.0f bytes, and the kernel says %.0f", id, got, want)
		}
		peaks = append(peaks, got)
		until(t, "memory is freed", func() bool {
			text, _ := os.ReadFile(c.Dir + "/freed")
			return int64(strings.Count(string(text), "\n")) == id
		})
	}
	if peaks[1] < size || peaks[0] > size || peaks[2] > size {
		t.Errorf("peaks %.0f of proofs of which the second alone takes %d bytes", peaks, size)
	}
}
