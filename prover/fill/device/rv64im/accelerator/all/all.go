// Package all lists the fillers of the accelerators' tables on devices.
package all

import (
	"fmt"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake2b"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake3"
	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/absorb"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/blake"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/ec"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/field"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/fp2"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/fp3"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/keccakf"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/modmul"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/sha256"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator/wide256"
)

// fillers are the fillers by Kind. They are made when the first one is needed, because most commands need none.
var fillers = sync.OnceValue(func() map[*accelerator.Kind]device.Filler {
	list := map[*accelerator.Kind]device.Filler{}
	for _, f := range slices.Concat([]device.Filler{keccakf.Filler, sha256.Filler, modmul.Filler,
		blake.Filler(&blake2b.Function, &blake2b.Kind), blake.Filler(&blake3.Function, &blake3.Kind),
		wide256.Filler, fp3.Row, fp3.MultiplyAdd, absorb.Filler},
		field.Fillers(), ec.Fillers(), fp2.Fillers()) {
		add(list, f)
	}
	return list
})

// Of returns the filler of an accelerator. ok is false if none is listed.
func Of(k *accelerator.Kind) (f device.Filler, ok bool) {
	f, ok = fillers()[k]
	return f, ok
}

// Add adds the filler of an accelerator to the list. It panics if the filler does not match its Kind, or if package
// circuit/rv64im/accelerator/all does not list the Kind.
func Add(f device.Filler) { add(fillers(), f) }

func add(list map[*accelerator.Kind]device.Filler, f device.Filler) {
	if err := f.Check(); err != nil {
		panic(err)
	}
	if circuits.ByCode(uint64(f.Kind.Code)) != f.Kind {
		panic(fmt.Sprintf("device filler of accelerator %s: package %s does not list the accelerator", f.Kind.Name,
			"circuit/rv64im/accelerator/all"))
	}
	list[f.Kind] = f
}
