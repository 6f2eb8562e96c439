package api

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// RunnersOnly are the permissions of an App whose key is stored on a GPU host: it registers runners for an organization
// and has no access to repositories. Every App has the metadata permission.
var RunnersOnly = map[string]string{"organization_self_hosted_runners": "write"}

// RepositoryRunners are the permissions to register runners for one repository. GitHub has no narrower permission. It
// also allows changing the repository's settings, so its key must not be stored on a host that runs jobs.
var RepositoryRunners = map[string]string{"administration": "write"}

// An App is a GitHub App: its ID and its private key.
type App struct {
	ID  int64
	Key *rsa.PrivateKey
	// Now is the clock; nil means the system's.
	Now func() time.Time
}

// ParseAppKey parses the private key that GitHub generates for an App.
func ParseAppKey(data []byte) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("the App's key is not a PEM file: GitHub's page of the App generates one (Private keys)")
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("the App's key: %w", err)
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("the App's key is a %T, GitHub's Apps have RSA keys", parsed)
	}
	return key, nil
}

// assertion returns a JSON Web Token that authenticates the App itself for nine minutes.
func (app App) assertion() (string, error) {
	now := time.Now()
	if app.Now != nil {
		now = app.Now()
	}
	claims, err := json.Marshal(map[string]any{
		"iat": now.Add(-time.Minute).Unix(), // tolerate clock skew
		"exp": now.Add(9 * time.Minute).Unix(),
		"iss": strconv.FormatInt(app.ID, 10),
	})
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + encode(claims)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, app.Key, crypto.SHA256, sum[:])
	if err != nil {
		return "", fmt.Errorf("sign as the App %d: %w", app.ID, err)
	}
	return text + "." + encode(signature), nil
}

// InstallationClient returns a client of the repository whose token has exactly the given permissions. The installation
// is the App's in the repository's organization, or on the repository alone if organization is false. With exact, an
// installation with more permissions is rejected, because the App's key would grant them.
func InstallationClient(ctx context.Context, baseURL, repository string, app App, organization, exact bool,
	permissions map[string]string, retry Retry) (*Client, error) {
	assertion, err := app.assertion()
	if err != nil {
		return nil, err
	}
	client, err := New(baseURL, repository, assertion, retry)
	if err != nil {
		return nil, err
	}
	where, asked := fmt.Sprintf("repos/%s/installation", repository), map[string]any{"permissions": permissions}
	if organization {
		where = fmt.Sprintf("orgs/%s/installation", client.owner)
	} else {
		asked["repositories"] = []string{client.name}
	}
	var installation struct {
		ID          int64             `json:"id"`
		Permissions map[string]string `json:"permissions"`
	}
	err = client.do(ctx, "find the App's installation", func() error {
		return client.send(ctx, http.MethodGet, where, nil, &installation)
	})
	if err != nil {
		return nil, fmt.Errorf("the App %d is not installed for %s, or the key is another App's: %w", app.ID, repository, err)
	}
	if more := beyond(installation.Permissions, permissions); exact && len(more) > 0 {
		return nil, fmt.Errorf("the App %d may do more than register runners: take these permissions from it: %s", app.ID,
			strings.Join(more, ", "))
	}
	var token struct {
		Token string `json:"token"`
	}
	err = client.do(ctx, "get a token of the App's installation", func() error {
		return client.send(ctx, http.MethodPost, fmt.Sprintf("app/installations/%d/access_tokens", installation.ID), asked,
			&token)
	})
	if err != nil {
		return nil, err
	}
	if token.Token == "" {
		return nil, errors.New("get a token of the App's installation: the answer holds none")
	}
	return New(baseURL, repository, token.Token, retry)
}

// beyond lists the permissions of an installation in excess of the wanted ones.
func beyond(has, wanted map[string]string) []string {
	var more []string
	for _, scope := range slices.Sorted(maps.Keys(has)) {
		if level := has[scope]; level != wanted[scope] && !(scope == "metadata" && level == "read") {
			more = append(more, scope+": "+level)
		}
	}
	return more
}

// send makes a call that go-github v60 lacks, or models with different fields.
func (client *Client) send(ctx context.Context, method, path string, body, into any) error {
	request, err := client.github.NewRequest(method, path, body)
	if err != nil {
		return err
	}
	_, err = client.github.Do(ctx, request, into)
	return err
}
