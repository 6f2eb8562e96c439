package workflows

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/workflows/api"
	"github.com/chiasmus/chiasmus/workflows/internal/githubfake"
	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

// An App registers runners with a token that has exactly the needed permissions. The key of an App with more
// permissions is refused on the GPU host.
func TestAppRegistersRunners(t *testing.T) {
	made, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	key, err := api.ParseAppKey(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY",
		Bytes: x509.MarshalPKCS1PrivateKey(made)}))
	if err != nil {
		t.Fatal(err)
	}
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	least := githubtest.Permissions{"organization_self_hosted_runners": "write", "metadata": "read"}
	for name, test := range map[string]struct {
		has          githubtest.Permissions
		app          api.App
		organization bool
		want         string // of the error; empty for a registration
	}{
		"the least, of an organization": {least, api.App{ID: 5, Key: key}, true, ""},
		"one that also administers": {githubtest.Permissions{"organization_self_hosted_runners": "write",
			"administration": "write"}, api.App{ID: 5, Key: key}, true, "administration: write"},
		"one that also reads code": {githubtest.Permissions{"organization_self_hosted_runners": "write",
			"contents": "read"}, api.App{ID: 5, Key: key}, true, "contents: read"},
		"one that may not": {githubtest.Permissions{"metadata": "read"}, api.App{ID: 5, Key: key}, true, "not granted"},
		"another key":      {least, api.App{ID: 5, Key: other}, true, "another App's"},
		"another App":      {least, api.App{ID: 6, Key: key}, true, "another App's"},
		"a clock that is wrong": {least, api.App{ID: 5, Key: key,
			Now: func() time.Time { return time.Now().Add(-time.Hour) }}, true, "another App's"},
		"of a repository": {githubtest.Permissions{"administration": "write", "metadata": "read"},
			api.App{ID: 5, Key: key}, false, ""},
	} {
		world := newWorld(t)
		world.App = &githubfake.App{ID: 5, Key: &made.PublicKey, Permissions: test.has}
		permissions := api.RunnersOnly
		if !test.organization {
			permissions = api.RepositoryRunners
		}
		client, err := api.InstallationClient(context.Background(), world.URL(), worldRepository, test.app,
			test.organization, test.organization, permissions, api.Retry{})
		if err != nil || test.want != "" {
			if err == nil || test.want == "" || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, want %q", name, err, test.want)
			}
			continue
		}
		register := client.RegisterOrganizationRunner
		if !test.organization {
			register = client.RegisterRunner
		}
		registration, err := register(context.Background(), "job-1", 1, []string{"gpu"})
		if text, _ := base64.StdEncoding.DecodeString(registration); err != nil || string(text) != "registration of job-1" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		// The token can do nothing else.
		if test.organization {
			if _, err := client.RegisterRunner(context.Background(), "job-2", 1, []string{"gpu"}); err == nil {
				t.Errorf("%s: the token registers a runner of the repository", name)
			}
			if _, err := client.Runners(context.Background()); err == nil {
				t.Errorf("%s: the token reads settings", name)
			}
		}
	}
	for _, text := range []string{"", "no key", "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"} {
		if _, err := api.ParseAppKey([]byte(text)); err == nil {
			t.Errorf("%q is a key", text)
		}
	}
}
