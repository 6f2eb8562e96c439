// Package modmul fills the rows of calls of the accelerator for products modulo a 256-bit number on devices.
package modmul

import (
	_ "embed"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/modmul"
	"github.com/chiasmus/chiasmus/prover/fill/device/rv64im/accelerator"
)

//go:embed call.cuh
var callSource string

// Filler fills the rows of calls.
var Filler = accelerator.Filler{Kind: &circuit.Kind, Call: callHeader()}

// callHeader returns the device source of the rows of calls.
func callHeader() string {
	return header.New().Scoped("CARRIES", circuit.Steps-1).Scoped("FIRST_WIDE", circuit.FirstWide).
		Scoped("LAST_WIDE", circuit.LastWide).Text() + callSource
}
