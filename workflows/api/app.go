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

// RunnersOnly is what an App needs whose key lies on a GPU host: it registers runners of an organization, and can do
// nothing to a repository. Metadata comes with every App.
var RunnersOnly = map[string]string{"organization_self_hosted_runners": "write"}

// RepositoryRunners is what registers runners of one repository. GitHub has no smaller permission for that, and it
// also changes the repository's settings: a key with it belongs on no host that runs jobs.
var RepositoryRunners = map[string]string{"administration": "write"}

// An App is a GitHub App by its number and its private key.
type App struct {
	ID  int64
	Key *rsa.PrivateKey
	// Now is the clock; nil means the system's.
	Now func() time.Time
}

// ParseAppKey reads the private key that GitHub hands out for an App.
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

// assertion is the JSON Web Token by which the App itself calls, good for nine minutes.
func (app App) assertion() (string, error) {
	now := time.Now()
	if app.Now != nil {
		now = app.Now()
	}
	claims, err := json.Marshal(map[string]any{
		"iat": now.Add(-time.Minute).Unix(), // clocks differ
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

// InstallationClient is a client of the repository whose token has exactly the permissions, of the App's installation
// in the repository's organization, or, without organization, on the repository alone. With exact, an installation
// that may do more is refused: whoever takes the key could have more.
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

// beyond lists what an installation has beyond what is wanted.
func beyond(has, wanted map[string]string) []string {
	var more []string
	for _, scope := range slices.Sorted(maps.Keys(has)) {
		if level := has[scope]; level != wanted[scope] && !(scope == "metadata" && level == "read") {
			more = append(more, scope+": "+level)
		}
	}
	return more
}

// send makes a call that go-github v60 does not know, or knows with other fields.
func (client *Client) send(ctx context.Context, method, path string, body, into any) error {
	request, err := client.github.NewRequest(method, path, body)
	if err != nil {
		return err
	}
	_, err = client.github.Do(ctx, request, into)
	return err
}
