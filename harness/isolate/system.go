package isolate

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// etc lists the parts of /etc that programs need. Everything else (shadow, keys, the configuration of services) is
// hidden: root could read all of it.
var etc = []string{
	"alternatives", "ca-certificates", "ca-certificates.conf", "group", "hosts", "ld.so.cache",
	"ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "OpenCL", "os-release",
	"passwd", "pki", "protocols", "services", "ssl", "timezone",
}

// system returns the arguments that show the host's programs and devices.
func system(s Spec) []string {
	args := []string{"--ro-bind", "/usr", "/usr"}
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"} {
		args = append(args, sameOrLink(dir)...)
	}
	for _, name := range etc {
		args = append(args, sameOrLink("/etc/"+name)...)
	}
	for _, dir := range sys {
		args = append(args, "--ro-bind-try", dir, dir)
	}
	args = append(args, "--proc", "/proc")
	args = append(args, readOnlyProc()...)
	args = append(args, "--dev", "/dev")
	if s.GPU {
		for _, device := range gpuDevices() {
			args = append(args, "--dev-bind", device, device)
		}
		args = append(args, "--ro-bind-try", "/run/nvidia-persistenced", "/run/nvidia-persistenced")
	}
	return args
}

// sys lists the parts of /sys that programs read: processors, GPUs on their buses, huge pages, and the CPU and memory
// limits of their cgroup. Tracing and debugging are hidden.
var sys = []string{
	"/sys/block", "/sys/bus", "/sys/class", "/sys/dev", "/sys/devices", "/sys/fs/cgroup", "/sys/kernel/iommu_groups",
	"/sys/kernel/mm", "/sys/module",
}

// readOnlyProc makes the parts of /proc that do not describe processes read-only. The kernel lets the host's root write
// sysctls regardless of capabilities and namespaces, and one sysctl names a program that the kernel runs on the host
// (core_pattern). bwrap itself covers such a folder only if its mode allows writing, which the mode of /proc/sys does
// not.
func readOnlyProc() []string {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var args []string
	for _, e := range entries {
		if _, notAProcess := strconv.Atoi(e.Name()); notAProcess == nil {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue
		}
		if info.IsDir() || info.Mode().IsRegular() && info.Mode().Perm()&0o222 != 0 {
			args = append(args, "--ro-bind-try", "/proc/"+e.Name(), "/proc/"+e.Name())
		}
	}
	return args
}

// sameOrLink shows a path as it is on the host: absent, a link, or a file or folder. It follows an absolute link,
// because the target may not be visible inside.
func sameOrLink(path string) []string {
	info, err := os.Lstat(path)
	if err != nil {
		return nil
	}
	if info.Mode()&os.ModeSymlink != 0 {
		link, err := os.Readlink(path)
		if err == nil && !filepath.IsAbs(link) && strings.HasPrefix(filepath.Join(filepath.Dir(path), link), "/usr/") {
			return []string{"--symlink", link, path}
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil
		}
		return []string{"--ro-bind", real, path}
	}
	return []string{"--ro-bind", path, path}
}

// gpuDevices lists the device files of NVIDIA GPUs and of WSL.
func gpuDevices() []string {
	var out []string
	for _, pattern := range []string{"/dev/nvidia[0-9]*", "/dev/nvidiactl", "/dev/nvidia-uvm*", "/dev/nvidia-modeset",
		"/dev/nvidia-caps", "/dev/dxg"} {
		found, err := filepath.Glob(pattern)
		if err == nil { // the patterns are well formed
			out = append(out, found...)
		}
	}
	return out
}

// systemFolders are always shown.
var systemFolders = []string{"/usr", "/bin", "/sbin", "/lib", "/lib64"}

// toolchains lists folders outside the system that programs on the PATH need: the folders of the PATH itself, of
// libraries, and the roots of toolchains.
func toolchains(env []string) []string {
	var out []string
	home, noHome := os.UserHomeDir()
	add := func(path string) {
		switch {
		case !filepath.IsAbs(path) || path == "/":
			return
		case noHome == nil && (within(home, path) || path == filepath.Join(home, ".local")):
			return // never the user's whole home, even if programs are in it
		}
		for _, dir := range append(systemFolders, out...) {
			if within(path, dir) {
				return
			}
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			out = append(out, filepath.Clean(path))
		}
	}
	for _, pair := range env {
		name, text, _ := strings.Cut(pair, "=")
		switch name {
		case "PATH":
			for _, dir := range filepath.SplitList(text) {
				add(dir)
				add(pyenvRoot(dir))
				for _, r := range roots {
					add(r.of(dir))
				}
			}
		case "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "PKG_CONFIG_PATH":
			for _, dir := range filepath.SplitList(text) {
				add(dir)
			}
		case "GOROOT", "RUSTUP_HOME", "CUDA_HOME", "CUDA_PATH", "JAVA_HOME":
			add(text)
		}
	}
	return out
}

// A root is a toolchain whose programs also need the folder above bin.
type root struct {
	program string // in bin
	// marks are patterns, one of which must exist in the root. A root is shown as a whole, so a folder must not be
	// mistaken for one.
	marks []string
	// named takes the folder above the program without following links first.
	named bool
}

var roots = []root{
	{program: "go", marks: []string{"src/runtime"}},
	{program: "nvcc", marks: []string{"nvvm"}},
	{program: "python3", marks: []string{"lib/python3*"}},
	// In a virtual environment the program is a link into another root.
	{program: "python3", marks: []string{"pyvenv.cfg", "conda-meta"}, named: true},
	{program: "node", marks: []string{"include/node"}},
	{program: "java", marks: []string{"lib/modules", "jre"}},
}

// of returns the root whose bin is dir, or "" if dir does not hold the program.
func (r root) of(dir string) string {
	program, err := filepath.EvalSymlinks(filepath.Join(dir, r.program))
	if err != nil {
		return ""
	}
	if r.named {
		program = filepath.Join(dir, r.program)
	}
	bin := filepath.Dir(program)
	if filepath.Base(bin) != "bin" {
		return ""
	}
	for _, mark := range r.marks {
		if found, err := filepath.Glob(filepath.Join(filepath.Dir(bin), mark)); err == nil && len(found) > 0 {
			return filepath.Dir(bin)
		}
	}
	return ""
}

// pyenvRoot returns the root of pyenv if dir holds its shims: scripts that call the real programs.
func pyenvRoot(dir string) string {
	above := filepath.Dir(dir)
	if _, err := os.Stat(filepath.Join(above, "libexec", "pyenv")); err != nil || filepath.Base(dir) != "shims" {
		return ""
	}
	return above
}
