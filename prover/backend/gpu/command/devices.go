package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/driver"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/cuda/softgpu"
	"github.com/chiasmus/chiasmus/prover/backend/gpu"
	"github.com/chiasmus/chiasmus/prover/cli"
)

// commands returns the backend's own commands.
func (e Environment) commands() []*cobra.Command {
	return []*cobra.Command{e.devicesCommand(), e.kernelsCommand()}
}

// inventory is what a host has for the GPU backend, and what `devices --json` prints.
type inventory struct {
	Schema   string         `json:"schema"`
	Driver   library        `json:"driver"`
	NVRTC    library        `json:"nvrtc"`
	Devices  []deviceReport `json:"devices"`
	Software software       `json:"softgpu"`
}

const devicesSchema = "chiasmus.devices/1"

// library is a library that was found, or the reason why it was not.
type library struct {
	Found   bool   `json:"found"`
	Version string `json:"version,omitempty"`
	Path    string `json:"path,omitempty"`
	Error   string `json:"error,omitempty"`
}

// deviceReport is a device, and whether kernels can run on it.
type deviceReport struct {
	*cuda.Device
	WillDo bool   `json:"will_do"`
	Reason string `json:"reason,omitempty"` // why kernels cannot run on it
}

// software reports whether the software device is available.
type software struct {
	Available bool     `json:"available"`
	Compiler  string   `json:"compiler,omitempty"`
	Names     []string `json:"names"` // values of --device that select it
	Error     string   `json:"error,omitempty"`
}

func (e Environment) devicesCommand() *cobra.Command {
	var asJSON bool
	var driverFile string
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List GPUs, driver and compiler, and say whether each device is usable",
		Long: `List the GPUs of this host with the driver and the kernel compiler (NVRTC), and say whether each is usable.

The exit code is 0 if a GPU is usable and 1 if none is. The software device (softgpu) is for tests: it is listed,
chosen only by --device, and does not count.`,
		Args: cli.Exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			prebuilt := cmd.Flag(kernelsFlag).Value.String()
			if err := checkFolder("--"+kernelsFlag, prebuilt); err != nil {
				return err
			}
			found, err := takeInventory(driverFile, e.search(cmd.Flag(nvrtcFlag).Value.String()), prebuilt)
			if asJSON {
				err = errors.Join(json.NewEncoder(cmd.OutOrStdout()).Encode(found), err)
			} else {
				found.print(cmd.OutOrStdout())
			}
			return err
		},
	}
	addCompilerFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&driverFile, "driver", "", "the CUDA driver library (default: the installed libcuda.so.1)")
	return cmd
}

// devices returns the devices in a list of --devices, by names that --device accepts. "all" means all suitable devices.
func devices(list string) (names []string, err error) {
	if list != "all" {
		names = strings.Split(list, ",")
		if slices.Contains(names, "") {
			return nil, cli.Usagef("--devices %q: want all, or names separated by commas", list)
		}
		return names, nil
	}
	opened, err := cuda.Open(cuda.Options{})
	if err != nil {
		return nil, err
	}
	found, err := opened.Devices()
	for _, device := range found {
		if device.Unfit() == nil {
			names = append(names, strconv.Itoa(device.Ordinal))
		}
	}
	if err == nil && len(names) == 0 {
		err = errors.New("no GPU of this host is usable")
	}
	return names, err
}

// takeInventory examines the host. The error says why no GPU is suitable; the inventory is complete even then.
func takeInventory(driverFile string, search nvrtc.Search, prebuilt string) (*inventory, error) {
	found := &inventory{Schema: devicesSchema, Devices: []deviceReport{}}
	var architectures []string
	compiler, err := nvrtc.Open(search)
	if err == nil {
		found.NVRTC = library{Found: true, Version: driver.VersionString(compiler.Version()), Path: compiler.Path()}
		architectures, err = compiler.Architectures()
	}
	if err != nil {
		found.NVRTC.Error = err.Error()
	}
	found.Software = software{Names: []string{gpu.Software, gpu.SoftwareChecked}}
	if found.Software.Compiler, err = softgpu.Available(); err != nil {
		found.Software.Error = err.Error()
	} else {
		found.Software.Available = true
	}
	if err := found.list(driverFile); err != nil {
		found.Driver.Error = err.Error()
		return found, errors.New("no GPU of this host is usable: there is no usable driver")
	}
	willDo := false
	for i := range found.Devices {
		d := &found.Devices[i]
		if err := judge(d.Device, found.NVRTC.Found, architectures, prebuilt); err != nil {
			d.Reason = err.Error()
		} else {
			d.WillDo = true
		}
		willDo = willDo || d.WillDo
	}
	if !willDo {
		return found, errors.New("no GPU of this host is usable")
	}
	return found, nil
}

// list opens the driver and reads its devices.
func (found *inventory) list(file string) error {
	opened, err := cuda.Open(cuda.Options{Library: file})
	if err != nil {
		return err
	}
	found.Driver = library{Found: true, Version: opened.Version(), Path: opened.Library().Path()}
	devices, err := opened.Devices()
	for _, device := range devices {
		found.Devices = append(found.Devices, deviceReport{Device: device})
	}
	return err
}

// judge returns an error that says why kernels cannot run on a device, or nil. Without NVRTC it does not check that a
// folder of prebuilt kernels is complete: proving names the missing kernel.
func judge(device *cuda.Device, compiler bool, architectures []string, prebuilt string) error {
	if err := device.Unfit(); err != nil {
		return err
	}
	switch {
	case prebuilt != "":
		return nil
	case !compiler:
		return fmt.Errorf("nothing compiles kernels for %s here: install NVRTC (pip install nvidia-cuda-nvrtc==13.0.88), "+
			"or give --%s with a folder "+
			"that `prover kernels build --arch %s` filled elsewhere", device.Architecture, kernelsFlag, device.Architecture)
	case !device.Software() && !slices.Contains(architectures, device.Architecture):
		return fmt.Errorf("the NVRTC found does not support %s: install a newer one", device.Architecture)
	}
	return nil
}

func (found *inventory) print(out io.Writer) {
	found.Driver.print(out, "driver")
	found.NVRTC.print(out, "NVRTC")
	for _, d := range found.Devices {
		c := d.ComputeCapability
		fmt.Fprintf(out, "device %d  %s, %.1f GiB, compute capability %d.%d (%s), %d multiprocessors: ", d.Ordinal, d.Name,
			float64(d.MemoryBytes)/(1<<30), c[0], c[1], d.Architecture, d.Multiprocessors)
		if d.WillDo {
			fmt.Fprintln(out, "usable")
		} else {
			fmt.Fprintf(out, "not usable: %s\n", d.Reason)
		}
	}
	if found.Software.Available {
		fmt.Fprintf(out, "softgpu   software device for tests, compiled by %s; chosen only by --device %s or %s\n",
			found.Software.Compiler, gpu.Software, gpu.SoftwareChecked)
	} else {
		fmt.Fprintf(out, "softgpu   not available: %s\n", found.Software.Error)
	}
}

func (l library) print(out io.Writer, name string) {
	if l.Found {
		fmt.Fprintf(out, "%-8s  CUDA %s, %s\n", name, l.Version, l.Path)
	}
	if l.Error != "" {
		fmt.Fprintf(out, "%-8s  not usable: %s\n", name, l.Error)
	}
}
