package environment

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A host is the source of kernel files and libraries. Tests use a folder of recorded files and a fake library.
type host struct {
	root string // "" for the real one
	nvml []string
}

// text reads a small file and trims space. It returns "" if the file cannot be read.
func (h host) text(path string) string {
	data, err := os.ReadFile(filepath.Join("/", h.root, path))
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(data))
}

// number reads a file that contains one number.
func (h host) number(path string) (float64, bool) {
	x, err := strconv.ParseFloat(h.text(path), 64)
	return x, err == nil
}

// glob lists the host's paths that match a pattern, without the root.
func (h host) glob(pattern string) []string {
	found, err := filepath.Glob(filepath.Join("/", h.root, pattern))
	if err != nil {
		return nil
	}
	for i, path := range found {
		if rel, err := filepath.Rel(filepath.Join("/", h.root), path); err == nil {
			found[i] = "/" + rel
		}
	}
	return found
}

// keyed reads lines of the form "key: value" or "key value" into a map.
func (h host) keyed(path string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(h.text(path)) {
		cut := strings.IndexAny(line, ": \t=")
		if cut < 0 {
			continue
		}
		key := line[:cut]
		if _, taken := out[key]; !taken {
			out[key] = strings.Trim(line[cut:], ": \t\n=\"")
		}
	}
	return out
}

// capture fills in a snapshot.
func (h host) capture(ctx context.Context) (*Snapshot, error) {
	s := &Snapshot{
		Time: time.Now().UTC(),
		Machine: strings.TrimSpace(h.text("/sys/class/dmi/id/sys_vendor") + " " +
			h.text("/sys/class/dmi/id/product_name")),
		OS:           h.keyed("/etc/os-release")["PRETTY_NAME"],
		Kernel:       h.text("/proc/sys/kernel/osrelease"),
		Hostname:     h.text("/proc/sys/kernel/hostname"),
		Architecture: runtime.GOARCH,
		CPU:          h.cpu(),
		Memory:       h.memory(),
		Pressure:     Pressure{h.pressure("cpu"), h.pressure("memory"), h.pressure("io")},
		Cgroup:       h.cgroup(),
		OnMains:      h.onMains(),
	}
	for i, field := range strings.Fields(h.text("/proc/loadavg")) {
		if i < len(s.Load) {
			s.Load[i], _ = strconv.ParseFloat(field, 64) // the kernel writes numbers
		}
	}
	s.GPUs, s.GPUNote = h.gpus()
	return s, ctx.Err()
}

func (h host) memory() Memory {
	info := h.keyed("/proc/meminfo")
	kilobytes := func(key string) int64 {
		n, err := strconv.ParseInt(strings.TrimSuffix(info[key], " kB"), 10, 64)
		if err != nil {
			return 0
		}
		return n << 10
	}
	return Memory{
		Total: kilobytes("MemTotal"), Available: kilobytes("MemAvailable"),
		SwapTotal: kilobytes("SwapTotal"), SwapUsed: kilobytes("SwapTotal") - kilobytes("SwapFree"),
	}
}

// pressure reads the ten-second average of a file such as "some avg10=1.67 avg60=0.77 ...".
func (h host) pressure(resource string) *float64 {
	for _, field := range strings.Fields(h.text("/proc/pressure/" + resource)) {
		if text, ok := strings.CutPrefix(field, "avg10="); ok {
			if percent, err := strconv.ParseFloat(text, 64); err == nil {
				share := percent / 100
				return &share
			}
			return nil
		}
	}
	return nil
}

// onMains reports whether a host with a battery runs on mains power.
func (h host) onMains() *bool {
	var on *bool
	battery := false
	for _, dir := range h.glob("/sys/class/power_supply/*") {
		switch h.text(dir + "/type") {
		case "Battery":
			battery = battery || h.text(dir+"/scope") != "Device" // not a mouse's battery
		case "Mains":
			online := h.text(dir+"/online") == "1"
			on = &online
		}
	}
	if !battery {
		return nil
	}
	return on
}

// cpu describes the processors.
func (h host) cpu() CPU {
	c := CPU{Logical: len(h.glob("/sys/devices/system/cpu/cpu[0-9]*")), Available: runtime.NumCPU()}
	h.cpuinfo(&c)
	var current, low, high []float64
	for _, dir := range h.glob("/sys/devices/system/cpu/cpu[0-9]*/cpufreq") {
		if g := h.text(dir + "/scaling_governor"); g != "" && !slices.Contains(c.Governors, g) {
			c.Governors = append(c.Governors, g)
		}
		for name, into := range map[string]*[]float64{
			"scaling_cur_freq": &current,
			"scaling_min_freq": &low,
			"scaling_max_freq": &high,
		} {
			if kilohertz, ok := h.number(dir + "/" + name); ok {
				*into = append(*into, kilohertz/1000)
			}
		}
	}
	slices.Sort(c.Governors)
	if len(current) > 0 {
		c.MHz = mean(current)
	}
	if len(low) > 0 && len(high) > 0 {
		c.MinMHz, c.MaxMHz = slices.Min(low), slices.Max(high)
	}
	c.Driver = h.text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver")
	if x, ok := h.number("/sys/devices/system/cpu/cpufreq/boost"); ok {
		boost := x == 1
		c.Boost = &boost
	} else if x, ok := h.number("/sys/devices/system/cpu/intel_pstate/no_turbo"); ok {
		boost := x == 0
		c.Boost = &boost
	}
	if x, ok := h.number("/sys/devices/system/cpu/smt/active"); ok {
		smt := x == 1
		c.SMT = &smt
	}
	c.Throttles = h.throttles()
	return c
}

// cpuinfo reads the model, the cores and the frequency from /proc/cpuinfo, whose keys differ between architectures.
func (h host) cpuinfo(c *CPU) {
	type core struct{ socket, id string }
	cores, sockets := map[core]bool{}, map[string]bool{}
	var at core
	var clocks []float64
	processors := 0
	var implementer, part string // ARM gives numbers instead of a name
	for line := range strings.Lines(h.text("/proc/cpuinfo")) {
		key, text, _ := strings.Cut(line, ":")
		text = strings.TrimSpace(text)
		switch strings.TrimSpace(key) {
		case "processor":
			processors++
		case "model name", "cpu", "Model":
			if c.Model == "" {
				c.Model = text
			}
		case "CPU implementer":
			implementer = text
		case "CPU part":
			part = text
		case "microcode":
			c.Microcode = text
		case "physical id":
			at.socket = text
			sockets[text] = true
		case "core id":
			at.id = text
			cores[at] = true
		case "cpu MHz", "clock":
			if mhz, err := strconv.ParseFloat(strings.TrimSuffix(text, "MHz"), 64); err == nil {
				clocks = append(clocks, mhz)
			}
		}
	}
	if c.Model == "" && implementer != "" {
		c.Model = "ARM implementer " + implementer + " part " + part
	}
	c.Cores, c.Sockets = len(cores), len(sockets)
	if c.Logical == 0 {
		c.Logical = processors
	}
	if len(clocks) > 0 {
		c.MHz = mean(clocks)
	}
}

// throttles counts thermal throttling events of the processors since boot.
func (h host) throttles() int64 {
	var total int64
	for _, path := range h.glob("/sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/core_throttle_count") {
		n, _ := h.number(path) // 0 if it cannot be read
		total += int64(n)
	}
	return total
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
