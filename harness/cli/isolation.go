package cli

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/isolate"
)

// The values of --isolate.
const (
	isolateAuto = "auto"
	isolateOn   = "on"
	isolateOff  = "off"
)

// isolateDefault is the default of --isolate. Tests change it, because most need no isolation, which takes time.
var isolateDefault = isolateAuto

// isolation is the flag --isolate.
type isolation struct{ word string }

func (i *isolation) register(flags *pflag.FlagSet) {
	flags.StringVar(&i.word, "isolate", isolateDefault,
		"run builds, sessions and verifiers under bubblewrap, so that each revision sees only its own files: `WHEN` is "+
			"auto (if that works and base builds under it), on (else end with exit code 3) or off")
	flags.Lookup("isolate").NoOptDefVal = isolateOn
}

// decide sets the options.
func (i isolation) decide(ctx context.Context, o *harness.Options) error {
	switch i.word {
	case isolateOn:
		o.Isolate = true
	case isolateOff:
		o.Open = "--isolate=off"
	case isolateAuto:
		if _, err := isolate.Find(ctx); err != nil {
			o.Open = err.Error()
		} else {
			o.Isolate, o.OrOpen = true, true
		}
	default:
		return fmt.Errorf("--isolate=%s: want auto, on or off", i.word)
	}
	return nil
}
