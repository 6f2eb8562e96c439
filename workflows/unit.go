package workflows

import (
	"fmt"
	"strings"
)

// A Unit is the systemd service that serves jobs on a GPU host.
type Unit struct {
	// Program is the harness, Repository owner/name, User the user of the jobs, Software the runner's folder.
	Program, Repository, User, Software string
	Labels                              []string
	// Registrations is the command that prints the registration of one runner, App the ID of a GitHub App whose key is
	// stored on this host. One of them is set.
	Registrations string
	App           int64
}

// The names of the service's files. Each begins with the folder below /etc or /usr/lib that it belongs to.
const (
	UnitFile     = "systemd/chiasmus-runner.service"
	SysusersFile = "sysusers.d/chiasmus-runner.conf"
	TmpfilesFile = "tmpfiles.d/chiasmus-runner.conf"
	// KeyFile has an App's private key, readable only by root.
	KeyFile = "/etc/chiasmus-runner/app.pem"
	// workFolder contains the folders of jobs.
	workFolder = "/var/lib/chiasmus-runner"
)

// Files returns the unit, and the fragments that create its user and folders, by file name.
func (unit Unit) Files() map[string]string {
	program := unit.Program
	if program == "" {
		program = "/usr/local/bin/harness"
	}
	source, credential := "--registrations="+quoteUnit(unit.Registrations), ""
	if unit.App != 0 {
		source = fmt.Sprintf("--app=%d --app-key=%%d/app.pem", unit.App)
		credential = "LoadCredential=app.pem:" + KeyFile + "\n"
	}
	service := fmt.Sprintf(unitText, program, unit.Repository, unit.User, unit.Software, strings.Join(unit.Labels, ","),
		source, credential)
	return map[string]string{
		UnitFile:     service,
		SysusersFile: fmt.Sprintf(sysusersText, unit.User),
		TmpfilesFile: fmt.Sprintf("# Owned by root: each job gets its own folder in the first, and a copy of the second.\n"+
			"d %s 0711 root root -\nd %s 0755 root root -\nd /etc/chiasmus-runner 0700 root root -\n", workFolder,
			unit.Software),
	}
}

// quoteUnit quotes one word of a command line in a systemd unit, where quotes, backslashes, % and $ are special.
func quoteUnit(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$").Replace(text) + `"`
}

const sysusersText = `# The user of the jobs. It has no other purpose and owns no other files.
# For each group that owns the GPU's device files, add a line: m %[1]s GROUP
u %[1]s - "Chiasmus: GitHub jobs" - /usr/sbin/nologin
`

// unitText is the service. It runs as root, because it starts programs as another user, kills them and deletes their
// files; it drops all other privileges. The jobs need user namespaces, their own /proc and the GPU, so it sets none of
// RestrictNamespaces, ProtectProc, ProtectKernelTunables, PrivateDevices and NoNewPrivileges. It does not set
// PrivateTmp, because it sweeps the folders that all users share. ProtectClock implies DeviceAllow, which would block
// the GPU; LockPersonality would keep jobs from disabling address space randomization.
const unitText = `[Unit]
Description=Chiasmus: GitHub jobs on this GPU host
Documentation=man:systemd.exec(5)
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=%[1]s github runner --repository=%[2]s --user=%[3]s --software=%[4]s --labels=%[5]s %[6]s
%[7]s# The service creates a cgroup for each job, which accounts for all its processes.
Delegate=yes
KillMode=mixed
Restart=on-failure
RestartSec=30
UMask=0022
ProtectSystem=full
ProtectHome=read-only
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
CapabilityBoundingSet=~CAP_SYS_BOOT CAP_SYS_MODULE CAP_SYS_TIME CAP_SYSLOG CAP_WAKE_ALARM CAP_MAC_ADMIN CAP_MAC_OVERRIDE

[Install]
WantedBy=multi-user.target
`
