package driver

// Result is a CUresult.
type Result int32

// The results that this module distinguishes. The driver names and describes all others.
const (
	Success              Result = 0
	InvalidValue         Result = 1
	OutOfMemory          Result = 2
	NotInitialized       Result = 3
	Deinitialized        Result = 4
	NoDevice             Result = 100
	InvalidDevice        Result = 101
	InvalidImage         Result = 200
	InvalidContext       Result = 201
	ECCUncorrectable     Result = 214
	NVLinkUncorrectable  Result = 220
	NotFound             Result = 500
	NotReady             Result = 600
	IllegalAddress       Result = 700
	LaunchOutOfResources Result = 701
	LaunchTimeout        Result = 702
	ContextIsDestroyed   Result = 709
	Assert               Result = 710
	HardwareStackError   Result = 714
	IllegalInstruction   Result = 715
	MisalignedAddress    Result = 716
	InvalidAddressSpace  Result = 717
	InvalidPC            Result = 718
	LaunchFailed         Result = 719
	Unknown              Result = 999
)

// Sticky reports whether a result means that the context is lost: every later call on it fails too. Source: the CUDA
// driver API's list of CUresult values that leave the context unusable.
func (r Result) Sticky() bool {
	switch r {
	case Deinitialized, ECCUncorrectable, NVLinkUncorrectable, IllegalAddress, LaunchTimeout, ContextIsDestroyed,
		Assert, HardwareStackError, IllegalInstruction, MisalignedAddress, InvalidAddressSpace, InvalidPC,
		LaunchFailed, Unknown:
		return true
	}
	return false
}
