package workflows

import "testing"

// Only logins are mentioned; other text is shown as code.
func TestMention(t *testing.T) {
	for login, want := range map[string]string{
		"maintainer":    "@maintainer",
		"a-b-9":         "@a-b-9",
		"name_company":  "@name_company",
		"x @team":       "`x @team`",
		"org/team":      "`org/team`",
		"some-app[bot]": "`some-app[bot]`",
		"a\nb":          "`a b`",
		"ünïcode":       "`ünïcode`",
	} {
		if got := mention(login); got != want {
			t.Errorf("%q: %q, want %q", login, got, want)
		}
	}
}
