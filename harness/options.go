package harness

import (
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/plan"
)

// Options say what to compare, and how.
type Options struct {
	Choices
	Controls
}

// Choices say what to compare.
type Choices = plan.Options

// Controls say how a run is executed.
type Controls = measure.Controls
