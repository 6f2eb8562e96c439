package environment

import (
	"path"
	"strconv"
	"strings"
)

// cgroup reads the limits of this process under both versions of cgroups.
func (h host) cgroup() Cgroup {
	var limits Cgroup
	for line := range strings.Lines(h.text("/proc/self/cgroup")) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		controllers := strings.Split(fields[1], ",")
		for at := path.Clean("/" + fields[2]); ; at = path.Dir(at) {
			h.limitsAt(&limits, fields[0], controllers, at)
			if at == "/" {
				break
			}
		}
	}
	return limits
}

// limitsAt tightens the limits to those of one cgroup.
func (h host) limitsAt(limits *Cgroup, hierarchy string, controllers []string, at string) {
	const base = "/sys/fs/cgroup"
	if hierarchy == "0" {
		quota, period, _ := strings.Cut(h.text(path.Join(base, at, "cpu.max")), " ")
		limits.narrowCPU(quota, period)
		limits.narrowMemory(h.text(path.Join(base, at, "memory.max")))
		return
	}
	for _, c := range controllers {
		switch c {
		case "cpu":
			limits.narrowCPU(h.text(path.Join(base, "cpu", at, "cpu.cfs_quota_us")),
				h.text(path.Join(base, "cpu", at, "cpu.cfs_period_us")))
		case "memory":
			limits.narrowMemory(h.text(path.Join(base, "memory", at, "memory.limit_in_bytes")))
		}
	}
}

func (c *Cgroup) narrowCPU(quota, period string) {
	q, err := strconv.ParseFloat(quota, 64) // "max" and "-1" mean none
	p, err2 := strconv.ParseFloat(period, 64)
	if err != nil || err2 != nil || q <= 0 || p <= 0 {
		return
	}
	if cpus := q / p; c.CPUs == 0 || cpus < c.CPUs {
		c.CPUs = cpus
	}
}

// unlimited is the value that version 1 reports without a limit: the largest multiple of a page.
const unlimited = 1 << 62

func (c *Cgroup) narrowMemory(text string) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n >= unlimited {
		return
	}
	if c.Memory == 0 || n < c.Memory {
		c.Memory = n
	}
}
