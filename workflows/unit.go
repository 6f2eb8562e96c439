package workflows

import (
	"fmt"
	"strings"
)

// A Unit is the service that serves jobs on a GPU host.
type Unit struct {
	// Program is the harness, Repository owner/name, User the user of the jobs, Software the runner's folder.
	Program, Repository, User, Software string
	Labels                              []string
	// Registrations is the command that prints the registration of one runner, App the number of a GitHub App whose key
	// lies on this host. One of them is set.
	Registrations string
	App           int64
}

// The names of the service's files. Each begins with the folder below /etc or /usr/lib that it belongs to.
const (
	UnitFile     = "systemd/chiasmus-runner.service"
	SysusersFile = "sysusers.d/chiasmus-runner.conf"
	TmpfilesFile = "tmpfiles.d/chiasmus-runner.conf"
	// KeyFile is where an App's private key lies, readable by root alone.
	KeyFile = "/etc/chiasmus-runner/app.pem"
	// workFolder is where the folders of jobs are made.
	workFolder = "/var/lib/chiasmus-runner"
)

// Files are the unit, and the fragments that make its user and folders.
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
		TmpfilesFile: fmt.Sprintf("# Folders of root's: jobs get folders of their own in the first, copies of the second.\n"+
			"d %s 0711 root root -\nd %s 0755 root root -\nd /etc/chiasmus-runner 0700 root root -\n", workFolder,
			unit.Software),
	}
}

// quoteUnit makes one word of a command for a line of systemd, which knows quotes, backslashes, % and $.
func quoteUnit(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$").Replace(text) + `"`
}

const sysusersText = `# The user of the jobs, who is nobody else and owns nothing else.
# For each group that owns the GPU's device files, add a line: m %[1]s GROUP
u %[1]s - "Chiasmus: GitHub jobs" - /usr/sbin/nologin
`

// unitText is the service. It is root's, since it starts programs as another user, kills them and deletes their files;
// what it can do without is taken from it. The jobs need user namespaces, their own /proc and the GPU, so none of
// RestrictNamespaces, ProtectProc, ProtectKernelTunables, PrivateDevices and NoNewPrivileges is set, nor PrivateTmp:
// the folders that all users share have to be swept. ProtectClock implies DeviceAllow, which would shut the GPU out;
// LockPersonality would keep jobs from fixing their layout.
const unitText = `[Unit]
Description=Chiasmus: GitHub jobs on this GPU host
Documentation=man:systemd.exec(5)
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=%[1]s github runner --repository=%[2]s --user=%[3]s --software=%[4]s --labels=%[5]s %[6]s
%[7]s# A cgroup to make others in, one for each job: it counts what all its processes take.
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
