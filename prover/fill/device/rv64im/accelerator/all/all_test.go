package all_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/all"
)

// Every accelerator of the machine is listed, with the fillers of all of its tables.
func TestEveryKindHasAFiller(t *testing.T) {
	for _, k := range circuits.Kinds() {
		f, ok := all.Of(k)
		if !ok || f.Kind != k {
			t.Errorf("nothing fills the tables of %s", k.Name)
			continue
		}
		if err := f.Check(); err != nil {
			t.Error(err)
		}
	}
}

// A filler that does not fit its Kind, or whose Kind the machine does not have, is refused.
func TestAddRefuses(t *testing.T) {
	of := func(name string) *accelerator.Kind {
		for _, k := range circuits.Kinds() {
			if k.Name == name {
				return k
			}
		}
		t.Fatalf("there is no accelerator %s", name)
		return nil
	}
	without, _ := all.Of(of("sha256"))
	without.Work = nil
	with, _ := all.Of(of("sha256"))
	with.Kind = of("modmul")
	unknown, _ := all.Of(of("modmul"))
	unknown.Kind = &accelerator.Kind{Name: "unknown", Code: 0x7ff}
	for name, tc := range map[string]struct {
		add  func()
		want string
	}{
		"no work":        {func() { all.Add(without) }, "a table of work"},
		"another's work": {func() { all.Add(with) }, "a table of work"},
		"no kind":        {func() { all.Add(unknown) }, "does not list"},
	} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, tc.want) {
					t.Errorf("%s: %s, want a panic that says %q", name, text, tc.want)
				}
			}()
			tc.add()
		}()
	}
}
