package workflows

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// DefaultPrefix is the word that starts a comment for the harness, unless bench.yaml names another.
const DefaultPrefix = "/bench-gpu"

// A parsedCommand is the request in the first line of a comment. Lines after the first are prose.
type parsedCommand struct {
	// Cancel asks to stop the pull request's run; nothing else is set then.
	Cancel bool
	// SHA is the commit that the comment names: 40 lower-case hexadecimal digits, or empty.
	SHA string
	// Pairs and Analyses override the plan of bench.yaml; 0 leaves it.
	Pairs, Analyses int
	// PreCheck 1 requests a baseline pre-check; 0 leaves it to bench.yaml.
	PreCheck int
	// Workloads names the workloads to measure; empty means the default ones.
	Workloads []string
	// Base names the revision to measure against; empty means the merge base with the target branch.
	Base string
	// HeadConfig requests the bench.yaml of head.
	HeadConfig bool
}

var (
	commitPattern   = regexp.MustCompile(`^[0-9a-f]{40}$`)
	hexPattern      = regexp.MustCompile(`^[0-9a-fA-F]{4,64}$`)
	workloadPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	// The characters of a revision: the characters of git's reference names without a meaning in a shell, in git's
	// revision syntax or in Markdown.
	revisionPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/+-]{0,199}$`)
)

// usage is the answer to a comment that cannot be parsed; prefix is the word that starts comments for the harness.
func usage(prefix string) string {
	return strings.ReplaceAll(`PREFIX [SHA] [pairs=N] [workload=NAME,...] [base=REF] [analyses=N] [precheck=1]
       [config=head]
PREFIX cancel

SHA          the pull request's head, all 40 digits; required for a pull request from a fork
pairs=N      pairs of proofs, even
workload=... workloads of bench.yaml, comma-separated
base=REF     a branch, tag or commit of this repository (default: the merge base with the target branch)
analyses=N   analyses of a group-sequential plan, all but the last interim
precheck=1   measure head alone first, against a nightly run's baseline of base
config=head  the bench.yaml of the pull request (not for forks)`, "PREFIX", prefix)
}

// addressed reports whether the body of a comment starts with the word prefix.
func addressed(body, prefix string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(body, " \t\r\n"), "\n")
	fields := strings.Fields(first)
	return len(fields) > 0 && fields[0] == prefix
}

// parseCommand parses the first line of a comment's body. Tokens may come in any order, each at most once. An error
// names the wrong token and the expected form; it quotes the token with %q, so it has no line break.
func parseCommand(body, prefix string) (parsedCommand, error) {
	var command parsedCommand
	if !addressed(body, prefix) {
		return command, fmt.Errorf("the comment does not begin with %s", prefix)
	}
	first, _, _ := strings.Cut(strings.TrimLeft(body, " \t\r\n"), "\n")
	seen := map[string]bool{}
	for _, token := range strings.Fields(first)[1:] {
		key, value, hasValue := strings.Cut(token, "=")
		if !hasValue {
			key, value = "SHA", token
			if token == "cancel" {
				key = "cancel"
			}
		}
		once := cmp.Or(formerWords[key], key)
		if seen[once] {
			return parsedCommand{}, fmt.Errorf("%s is given twice", key)
		}
		seen[once] = true
		if err := command.set(key, value); err != nil {
			return parsedCommand{}, err
		}
	}
	if command.Cancel && len(seen) > 1 {
		return parsedCommand{}, fmt.Errorf("cancel takes no other words")
	}
	return command, nil
}

// formerWords maps former words of comments, which are still accepted, to the current ones.
var formerWords = map[string]string{"looks": "analyses", "tier": "precheck"}

func (command *parsedCommand) set(key, value string) error {
	switch key {
	case "cancel":
		command.Cancel = true
	case "SHA":
		if !hexPattern.MatchString(value) {
			return fmt.Errorf("unknown word %q", clip(value, 60))
		}
		if !commitPattern.MatchString(value) {
			return fmt.Errorf("%q is not a full commit: give all 40 digits, in lower case", clip(value, 64))
		}
		command.SHA = value
	case "pairs":
		pairs, err := strconv.Atoi(value)
		if err != nil || pairs < 2 || pairs%2 != 0 || pairs > 100000 {
			return fmt.Errorf("pairs=%s: an even number of at least 2 is needed", strconv.Quote(clip(value, 40)))
		}
		command.Pairs = pairs
	case "analyses", "looks":
		analyses, err := strconv.Atoi(value)
		if err != nil || analyses < 1 || analyses > 1000 {
			return fmt.Errorf("%s=%s: a number of at least 1 is needed", key, strconv.Quote(clip(value, 40)))
		}
		command.Analyses = analyses
	case "precheck", "tier":
		if value != "1" {
			return fmt.Errorf("%s=%s: only %[1]s=1 exists", key, strconv.Quote(clip(value, 40)))
		}
		command.PreCheck = 1
	case "workload":
		if strings.Count(value, ",") >= maxWorkloads {
			return fmt.Errorf("workload=...: at most %d workloads are measured", maxWorkloads)
		}
		for _, name := range strings.Split(value, ",") {
			if !workloadPattern.MatchString(name) {
				return fmt.Errorf("workload %q: names of workloads, separated by commas, are needed", clip(name, 60))
			}
			if slices.Contains(command.Workloads, name) {
				return fmt.Errorf("the workload %s is named twice", name)
			}
			command.Workloads = append(command.Workloads, name)
		}
	case "base":
		if !revisionPattern.MatchString(value) || strings.Contains(value, "..") || strings.HasSuffix(value, ".lock") {
			return fmt.Errorf("base=%s: a branch, tag or commit is needed", strconv.Quote(clip(value, 60)))
		}
		command.Base = value
	case "config":
		if value != "head" {
			return fmt.Errorf("config=%s: only config=head exists", strconv.Quote(clip(value, 40)))
		}
		command.HeadConfig = true
	default:
		return fmt.Errorf("unknown option %q", clip(key, 60))
	}
	return nil
}

// clip shortens text to at most n bytes without splitting a character.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:n] + "…"
}
