package githubfake

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// asApp is the permission for calls that an App makes as itself.
const asApp = "app"

// signed reports whether a token is a valid assertion of the App: signed by its key, current, and with its ID.
func (app *App) signed(token string) bool {
	parts := strings.Split(token, ".")
	if app == nil || len(parts) != 3 {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return false
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if rsa.VerifyPKCS1v15(app.Key, crypto.SHA256, sum[:], signature) != nil {
		return false
	}
	var claims struct {
		Issued  int64  `json:"iat"`
		Expires int64  `json:"exp"`
		Issuer  string `json:"iss"`
	}
	data, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(data, &claims) != nil {
		return false
	}
	now := time.Now().Unix() // GitHub accepts ten minutes at most
	return claims.Issued <= now && claims.Expires > now && claims.Expires-now <= 600 && claims.Issuer == fmt.Sprint(app.ID)
}

const installation = 77

func getInstallation(server *Server, _ call) answer {
	return answer{status: 200, body: map[string]any{"id": installation, "app_id": server.App.ID,
		"permissions": plain(server.App.Permissions)}}
}

func plain(permissions Permissions) map[string]any {
	all := map[string]any{}
	for scope, level := range permissions {
		all[scope] = level
	}
	return all
}

func createToken(server *Server, call call) answer {
	asked, _ := call.fields["permissions"].(map[string]any)
	given := Permissions{}
	for scope, level := range asked {
		word, _ := level.(string)
		if has := server.App.Permissions[scope]; has != word && has != "write" {
			return failure(http.StatusUnprocessableEntity, "The permissions requested are not granted to this installation.")
		}
		given[scope] = word
	}
	token := fmt.Sprintf("installation-%d", server.identifier())
	server.Tokens[token] = given
	return answer{status: 201, body: map[string]any{
		"token":      token,
		"expires_at": time.Now().Add(time.Hour).Format(time.RFC3339),
	}}
}

func registerRunner(server *Server, call call) answer {
	server.Registered = append(server.Registered, call.text("name"))
	return answer{status: 201, body: map[string]any{
		"runner":             map[string]any{"id": server.identifier(), "name": call.text("name")},
		"encoded_jit_config": base64.StdEncoding.EncodeToString([]byte("registration of " + call.text("name"))),
	}}
}

func getBranch(server *Server, call call) answer {
	sha, ok := server.resolve(call.parameters["branch"])
	if !ok {
		return notFound
	}
	contexts := []any{}
	for _, name := range server.Contexts {
		contexts = append(contexts, name)
	}
	return answer{status: 200, body: map[string]any{
		"name":      call.parameters["branch"],
		"commit":    map[string]any{"sha": sha},
		"protected": len(contexts) > 0,
		"protection": map[string]any{
			"enabled":                len(contexts) > 0,
			"required_status_checks": map[string]any{"contexts": contexts, "checks": []any{}},
		},
	}}
}

func getRules(*Server, call) answer { return answer{status: 200, body: []any{}} }
