package site

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/html"
)

// The pages besides those of runs. comparePage is an old address that redirects to the index.
const indexPage, comparePage = "index.html", "compare.html"

//go:embed assets
var assets embed.FS

var pages = template.Must(template.ParseFS(assets, "assets/index.gohtml"))

// scripts are the parts of the page's script, in order. Together they are one function.
var scripts = []string{"data.js", "marks.js", "chart.js", "small.js", "table.js", "side.js", "main.js"}

// listed is the number of runs linked for browsers without scripts.
const listed = 200

// view is the index template's data.
type view struct {
	Title, Version string
	Policy         string
	Style          template.CSS
	Library        template.JS
	Script         template.JS
	Data           template.JS
	Runs           []Run // newest first
}

// asset returns the text of an asset.
func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // unreachable: the file is embedded
	}
	return string(text)
}

// hash is the name of a script or style sheet in a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// writeIndex writes the page over all runs.
func writeIndex(w io.Writer, s *Site) error {
	list, err := json.Marshal(newData(s.Runs)) // Marshal escapes <, > and &, so no text can end its element
	if err != nil {
		return err
	}
	var script strings.Builder
	script.WriteString("(() => {\n\"use strict\";\n")
	for _, name := range scripts {
		script.WriteString(asset(name))
	}
	script.WriteString("})();\n")
	library, style := asset("uPlot.iife.min.js"), html.Style()+asset("uPlot.min.css")+asset("site.css")
	v := view{
		Title:   document.Clean(s.Title),
		Version: document.Clean(s.Version),
		Policy: fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; script-src %s %s; style-src %s",
			hash(library), hash(script.String()), hash(style)),
		Style:   template.CSS(style),
		Library: template.JS(library),
		Script:  template.JS(script.String()),
		Data:    template.JS(list),
		Runs:    slices.Clone(s.Runs),
	}
	slices.SortStableFunc(v.Runs, func(a, b Run) int { return b.Started.Compare(a.Started) })
	v.Runs = v.Runs[:min(len(v.Runs), listed)]
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, "index.gohtml", v); err != nil {
		return err
	}
	_, err = w.Write(page.Bytes())
	return err
}

// writeMoved writes a page that redirects to the index.
func writeMoved(w io.Writer) error {
	_, err := io.WriteString(w, `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=index.html#side">
<title>Chiasmus: runs side by side</title></head>
<body><p><a href="index.html#side">Runs side by side</a> are part of the page over all runs.</p></body></html>
`)
	return err
}
