package workflows

import (
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

var (
	quotedText    = regexp.MustCompile(`'[^']*'`)
	referenceName = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_-]*(\s*\.\s*[A-Za-z0-9_*-]+|\s*\[)*`)
	// harmless matches functions and values that contain no secret, no token and no text of a stranger's event.
	harmless = regexp.MustCompile(`(?i)^(` + strings.Join([]string{
		`always|success|failure|cancelled|fromJSON|toJSON|format|contains|startsWith|endsWith|join|hashFiles|true|false|null`,
		`needs\.[a-z0-9_-]+\.(result|outputs\.[a-z0-9_-]+)`,
		`steps\.[a-z0-9_-]+\.(outcome|conclusion|outputs\.[a-z0-9_-]+)`,
		`(matrix|inputs|env|vars|runner|strategy)\.[a-z0-9_-]+`,
		`job\.status`,
		`github\.(run_id|run_number|run_attempt|repository|repository_id|sha|ref|ref_name|workspace|workflow|job|server_url|api_url|event_name|action_path)`,
		`github\.event\.(issue\.number|issue\.pull_request)`,
	}, "|") + `)$`)
)

// strangeExpressions lists the references in a node's expressions and conditions that are not known to be harmless: a
// secret, a token, a whole context, an index, or anything unknown.
func strangeExpressions(node *yaml.Node) []string {
	var strange []string
	walk(node, "", func(key, value string) {
		texts := expressions(value)
		if key == "if" {
			texts = []string{value}
		}
		for _, text := range texts {
			strange = append(strange, strangeReferences(text)...)
		}
	})
	slices.Sort(strange)
	return slices.Compact(strange)
}

// expressions returns the parts of a text between ${{ and }}. Braces within quotes do not end an expression; an
// unterminated one extends to the end of the text.
func expressions(text string) []string {
	var found []string
	for {
		_, rest, ok := strings.Cut(text, "${{")
		if !ok {
			return found
		}
		end, quoted := 0, false
		for ; end < len(rest) && (quoted || !strings.HasPrefix(rest[end:], "}}")); end++ {
			if rest[end] == '\'' {
				quoted = !quoted
			}
		}
		found, text = append(found, rest[:end]), rest[end:]
	}
}

// strangeWords is strangeExpressions for YAML text.
func strangeWords(source string) []string {
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(source), &node); err != nil {
		return []string{err.Error()}
	}
	return strangeExpressions(&node)
}

// walk visits every scalar with its key.
func walk(node *yaml.Node, key string, visit func(key, value string)) {
	switch node.Kind {
	case yaml.ScalarNode:
		visit(key, node.Value)
	case yaml.AliasNode:
		walk(node.Alias, key, visit)
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			visit("", node.Content[i].Value)
			walk(node.Content[i+1], node.Content[i].Value, visit)
		}
	default:
		for _, item := range node.Content {
			walk(item, key, visit)
		}
	}
}

func strangeReferences(text string) []string {
	text = quotedText.ReplaceAllString(strings.NewReplacer("${{", " ", "}}", " ").Replace(text), " ")
	var strange []string
	for _, reference := range referenceName.FindAllString(text, -1) {
		if plain := strings.Join(strings.Fields(reference), ""); !harmless.MatchString(plain) {
			strange = append(strange, plain)
		}
	}
	return strange
}
