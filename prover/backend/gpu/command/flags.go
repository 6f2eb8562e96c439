package command

import (
	"os"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/internal/bytesize"
	"github.com/chiasmus/chiasmus/prover/backend/gpu"
	"github.com/chiasmus/chiasmus/prover/cli"
)

// Names of the flags.
const (
	deviceFlag  = "device"
	vramFlag    = "vram"
	kernelsFlag = "kernels"
	nvrtcFlag   = "nvrtc"
	faultFlag   = "inject-fault"
	seedFlag    = "softgpu-seed"
	ownFlag     = "own-buffers"
)

// addFlags adds the flags of proving on the GPU.
func addFlags(set *pflag.FlagSet) {
	set.String(deviceFlag, "", "GPU: ordinal, UUID or part of the name; "+gpu.Software+" or "+gpu.SoftwareChecked+
		" for the software device (default: the first usable one)")
	set.Var(new(bytesize.Size), vramFlag,
		"the maximum device memory to use, such as 80GiB (default: all free memory of the device)")
	addCompilerFlags(set)
	set.Uint64(seedFlag, 0, "seed of the software device's pseudo-random orders")
	set.StringArray(faultFlag, nil,
		"fail a driver call, for tests: [STAGE/]CALL[#OCCURRENCE]=KIND, such as commit_main/launch#3=sticky")
	set.Bool(ownFlag, false, "make every buffer a driver allocation of its own, for compute-sanitizer")
	for _, hidden := range []string{seedFlag, faultFlag, ownFlag} {
		_ = set.MarkHidden(hidden) // cannot fail: the flag was just added
	}
}

// addCompilerFlags adds the flags that say where kernels come from.
func addCompilerFlags(set *pflag.FlagSet) {
	set.String(kernelsFlag, "", "folder of kernels built ahead of time, for hosts without NVRTC")
	set.String(nvrtcFlag, "",
		"the NVRTC library, or the folder that holds it (default: CUDA_PATH, the loader's path, Python packages)")
}

// options turns flags into the backend's options.
func (e Environment) options(o cli.BackendOptions) (gpu.Options, error) {
	set := o.Flags
	text := func(name string) string { return set.Lookup(name).Value.String() }
	options := gpu.Options{
		Device: text(deviceFlag), VRAM: uint64(*set.Lookup(vramFlag).Value.(*bytesize.Size)), Cache: e.kernelCache(),
		Prebuilt: text(kernelsFlag), NVRTC: e.search(text(nvrtcFlag)), Compiling: compiling(o.Log), Pool: o.Pool,
		Span: o.Span, Connections: e.connections(o.Once),
	}
	if o.Device != "" {
		options.Device = o.Device
	}
	if err := checkFolder("--"+kernelsFlag, options.Prebuilt); err != nil {
		return options, err
	}
	var err error
	if options.Seed, err = set.GetUint64(seedFlag); err != nil {
		return options, err
	}
	if options.Checked, err = set.GetBool(ownFlag); err != nil {
		return options, err
	}
	planned, err := set.GetStringArray(faultFlag)
	if err != nil {
		return options, err
	}
	var faults []cuda.Fault
	for _, text := range planned {
		fault, err := cuda.ParseFault(text)
		if err != nil {
			return options, cli.Usagef("--%s: %w", faultFlag, err)
		}
		faults = append(faults, fault)
	}
	if len(faults) > 0 {
		options.Faults = cuda.NewFaultPlan(faults...)
	}
	return options, nil
}

// checkFolder returns an error if the folder does not exist. An empty path means no folder.
func checkFolder(flag, path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return cli.Usagef("%s: %w", flag, err)
	}
	if !info.IsDir() {
		return cli.Usagef("%s: %s is not a folder", flag, path)
	}
	return nil
}
