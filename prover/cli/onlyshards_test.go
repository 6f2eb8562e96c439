package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// A run that no single proof can hold is still reported, with the reason.
func TestReportOfARunForShards(t *testing.T) {
	for adds, whole := range map[int]bool{1000: true, 1 << 29: false} {
		r := &guestReport{Cycles: 1 << 30, output: []byte{0xab}, OutputBytes: 1}
		for i := range r.rows {
			r.rows[i] = 1
		}
		r.rows[table.ADD] = adds
		r.predict()
		var out bytes.Buffer
		p := &program{stdout: &out}
		if err := p.printGuest(&guestRun{}, r); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"1 byte: ab", "ADD"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%d rows: no %q in\n%s", adds, want, &out)
			}
		}
		said := strings.Contains(out.String(), "\na proof     only in shards, with --shards or --memory: ADD has 53687")
		if said == whole || (r.OnlyInShards == "") != whole || (r.Cells > 0) != whole {
			t.Errorf("%d rows: whole %v, %q, %d cells:\n%s", adds, whole, r.OnlyInShards, r.Cells, &out)
		}
	}
}
