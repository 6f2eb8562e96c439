package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// Role is what owners of one credential may do. Where a list is nil, everything.
type Role struct {
	Name               string   // of the credential's file, before ".nk"
	Publish, Subscribe []string // subjects, with NATS's wildcards
}

// permissions are the role's as the server wants them.
func (r *Role) permissions() *natsserver.Permissions {
	p := &natsserver.Permissions{}
	if r.Publish != nil {
		p.Publish = &natsserver.SubjectPermission{Allow: r.Publish}
	}
	if r.Subscribe != nil {
		p.Subscribe = &natsserver.SubjectPermission{Allow: r.Subscribe}
	}
	return p
}

// CredentialFile is where a role's credential is, in the folder of credentials.
func CredentialFile(folder, role string) string { return filepath.Join(folder, role+".nk") }

// credential is the public key of a credential.
func credential(path string) (public string, err error) {
	seed, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		seed, err = newCredential(path)
	}
	if err != nil {
		return "", err
	}
	pair, err := nkeys.ParseDecoratedNKey(seed)
	if err != nil {
		return "", fmt.Errorf("%s: %w: want the seed of an NKey", path, err)
	}
	return pair.PublicKey()
}

// newCredential makes a credential that its owner alone can read.
func newCredential(path string) (seed []byte, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	if seed, err = pair.Seed(); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = file.Write(append(seed, '\n'))
	return seed, errors.Join(err, file.Close())
}
