package keccak

import (
	circuits "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	device "github.com/chiasmus/chiasmus/prover/fill/device/keccak"
)

// Names of the circuit.
const (
	lanes            = circuits.Lanes
	laneBits         = circuits.LaneBits
	rateBytes        = circuits.RateBytes
	rateLanes        = circuits.RateLanes
	rounds           = circuits.Rounds
	limbBits         = circuits.LimbBits
	digestBytes      = circuits.DigestBytes
	tableSponge      = circuits.TableSponge
	tablePermutation = circuits.TablePermutation
	tableXor         = circuits.TableXor
	publicLimbs      = circuits.PublicLimbs
	publicLength     = circuits.PublicLength
	publicCount      = circuits.PublicCount
	maxLength        = circuits.MaxLength

	recordInputs = device.RecordInputs
	recordFile   = device.RecordFile
	fileLength   = device.FileLength
	fileBlocks   = device.FileBlocks
)
