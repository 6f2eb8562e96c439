package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover/protocol"
)

// versionInfo is the output of `version --json`.
type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Protocol string `json:"protocol"`
	Proof    int    `json:"proof_version"`
	// Protocols and Proofs are all versions that this binary makes and verifies, in the same order. Protocol and Proof are
	// the first of them.
	Protocols []string `json:"protocols"`
	Proofs    []int    `json:"proof_versions"`
	Session   string   `json:"session"`
	Backends  []string `json:"backends"`
}

func (p *program) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, protocol and backends of this binary",
		Args:  Exactly(),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return json.NewEncoder(p.stdout).Encode(p.version())
			}
			_, err := fmt.Fprint(p.stdout, p.versionText())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// versionText returns the output of version and --version.
func (p *program) versionText() string {
	info := p.version()
	revision := ""
	if info.Revision != "" {
		modified := ""
		if info.Modified {
			modified = ", modified"
		}
		revision = " (" + info.Revision + modified + ")"
	}
	var protocols strings.Builder
	for i, label := range info.Protocols {
		fmt.Fprintf(&protocols, "protocol %s, proof file version %d\n", label, info.Proofs[i])
	}
	return fmt.Sprintf("prover %s%s\n%ssession %s\nbackends %s\n%s %s\n", info.Version, revision, &protocols,
		info.Session, p.backendNames(), info.Go, info.Platform)
}

func (p *program) version() versionInfo {
	info := versionInfo{
		Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Protocol: protocol.Label, Proof: protocol.Version,
		Protocols: []string{protocol.Label, protocol.Label3}, Proofs: []int{protocol.Version, protocol.VersionBlake3},
		Session: sessionSchema, Backends: []string{},
	}
	for _, b := range p.backends {
		info.Backends = append(info.Backends, b.Name)
	}
	if build, ok := debug.ReadBuildInfo(); ok {
		if build.Main.Version != "" {
			info.Version = build.Main.Version
		}
		for _, setting := range build.Settings {
			switch setting.Key {
			case "vcs.revision":
				info.Revision = setting.Value
			case "vcs.modified":
				info.Modified = setting.Value == "true"
			}
		}
	}
	return info
}
