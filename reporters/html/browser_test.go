package html

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
)

// chromium finds a browser. The project's own CI must have one.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("no Chromium: CI opens the report in one")
	}
	t.Skip("no Chromium")
	return ""
}

// open runs the browser on an address and returns what it wrote.
func open(t *testing.T, browser, address string, flags ...string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	arguments := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--allow-file-access-from-files", "--enable-logging=stderr", "--user-data-dir=" + t.TempDir(),
	}, append(flags, address)...)
	command := exec.CommandContext(ctx, browser, arguments...)
	var out, log bytes.Buffer
	command.Stdout, command.Stderr = &out, &log
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", browser, err, log.String())
	}
	return out.String(), log.String()
}

// probe measures each page that it shows in a frame.
const probe = `<!doctype html><body><script>
const results = {}, pages = %s;
function measure(frame) {
  const page = frame.contentDocument, shown = e => e.getBoundingClientRect().width > 0;
  const figures = [...page.querySelectorAll("figure")].map(f => {
    const drawings = [...f.querySelectorAll("svg")].filter(shown);
    const box = drawings.length ? drawings[0].getBoundingClientRect() : null;
    const count = name => drawings.length ? drawings[0].querySelectorAll(name).length : 0;
    const outside = drawings.length ? [...drawings[0].querySelectorAll("text")].filter(t => {
      const r = t.getBoundingClientRect();
      return r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1;
    }).map(t => t.textContent) : [];
    return {id: f.id, drawings: drawings.length, width: box ? box.width : 0, marks: count("path, circle, rect"), texts: count("text"), outside: outside};
  });
  // Words broken over lines. Only code, such as hashes and paths, may be broken.
  const broken = [], walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let node; node = walker.nextNode();) {
    if (node.parentElement.closest("svg, code, pre, script, style")) continue;
    for (const word of node.data.matchAll(/[^\s-]+/g)) {
      const range = page.createRange();
      range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1) broken.push(word[0]);
    }
  }
  // After scrolling a table to its end, the last column is inside the frame, next to the fixed first column.
  const lost = [...page.querySelectorAll(".scroll")].filter(frame => {
    frame.scrollLeft = frame.scrollWidth;
    const box = frame.getBoundingClientRect(), row = frame.querySelector("tbody tr");
    const first = row.firstElementChild.getBoundingClientRect(), last = row.lastElementChild.getBoundingClientRect();
    const lost = last.right > box.right + 1 || last.top < first.bottom && last.left < first.right - 1;
    frame.scrollLeft = 0;
    return lost;
  }).map(frame => frame.textContent.trim().slice(0, 30));
  results[frame.id] = {broken: broken, lost: lost, scroll: page.documentElement.scrollWidth, figures: figures,
    sentence: (page.querySelector(".sentence") || {}).textContent, verdicts: [...page.querySelectorAll(".verdict")].filter(shown).length};
  document.getElementById("result").textContent = JSON.stringify(results);
}
for (const page of pages) for (const width of [1200, 360]) {
  const frame = document.createElement("iframe");
  frame.id = page + "/" + width; frame.width = width; frame.height = 3000; frame.style.border = 0;
  frame.onload = () => measure(frame);
  frame.src = page + ".html";
  document.body.append(frame);
}
</script><pre id="result"></pre>`

type measured struct {
	Scroll   float64
	Verdicts int
	Sentence string
	Broken   []string // words
	Lost     []string // tables
	Figures  []struct {
		ID                     string
		Drawings, Marks, Texts int
		Width                  float64
		Outside                []string
	}
}

// faults lists the problems of a page of a given width that should have n charts.
func (m measured) faults(width float64, charts int) []string {
	var list []string
	add := func(format string, arguments ...any) { list = append(list, fmt.Sprintf(format, arguments...)) }
	if m.Scroll > width {
		add("the page is %g wide", m.Scroll)
	}
	if m.Verdicts == 0 || m.Sentence == "" {
		add("no headline")
	}
	if len(m.Figures) != charts {
		add("%d charts, want %d", len(m.Figures), charts)
	}
	for _, f := range m.Figures {
		if f.Drawings != 1 || f.Width < 250 || f.Marks < 4 || f.Texts < 4 {
			add("chart %s: %+v", f.ID, f)
		}
		if len(f.Outside) > 0 {
			add("chart %s: text cut off: %q", f.ID, f.Outside)
		}
	}
	return list
}

var resultElement = regexp.MustCompile(`(?s)<pre id="result">(.*?)</pre>`)

// measure shows pages in the browser at the widths of a desktop and a phone. It returns the results by page and width,
// and the lines of the console.
func measure(t *testing.T, browser string, pages map[string]string) (found map[string]measured, console []string) {
	t.Helper()
	folder := t.TempDir()
	var names []string
	for name, page := range pages {
		names = append(names, name)
		if err := os.WriteFile(filepath.Join(folder, name+".html"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	outer := filepath.Join(folder, "probe.html")
	if err := os.WriteFile(outer, fmt.Appendf(nil, probe, list), 0o644); err != nil {
		t.Fatal(err)
	}
	dom, log := open(t, browser, "file://"+outer, "--window-size=1300,1000", "--virtual-time-budget=20000", "--dump-dom")
	for _, line := range strings.Split(log, "\n") {
		if strings.Contains(line, "CONSOLE") {
			console = append(console, line)
		}
	}
	m := resultElement.FindStringSubmatch(dom)
	if m == nil {
		t.Fatalf("nothing was measured:\n%.2000s", dom)
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(m[1])), &found); err != nil {
		t.Fatalf("%v: %q", err, m[1])
	}
	return found, console
}

// TestInBrowser opens reports in Chromium at the widths of a desktop and a phone: each chart is shown exactly once with
// its text inside, nothing is wider than the page, and the console stays silent.
func TestInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := chromium(t)
	reports := map[string]*report.Report{
		"complete":   fixture.Complete(),
		"partial":    fixture.Partial(),
		"failed":     fixture.Failed(),
		"hostile":    fixture.Hostile(),
		"sequential": fixture.Sequential(),
		"fleet":      fixture.Fleet("bench-3"),
		"bare":       fixture.Bare(),
	}
	charts := map[string]int{"complete": 12, "partial": 4, "hostile": 12, "sequential": 6, "fleet": 6}
	pages := map[string]string{}
	for name, report := range reports {
		pages[name] = write(t, report)
	}
	found, console := measure(t, browser, pages)
	for _, line := range console {
		t.Errorf("console: %s", line)
	}
	for name := range reports {
		for _, width := range []float64{1200, 360} {
			m, ok := found[fmt.Sprintf("%s/%g", name, width)]
			if !ok {
				t.Errorf("%s at %g: not measured", name, width)
			}
			for _, fault := range m.faults(width, charts[name]) {
				t.Errorf("%s at %g: %s", name, width, fault)
			}
			if len(m.Broken)+len(m.Lost) > 0 && name != "hostile" { // whose words are longer than any line
				t.Errorf("%s at %g: broken inside are %q; the last column cannot be read in %q", name, width, m.Broken, m.Lost)
			}
		}
	}
}

// TestProbeFindsFaults shows the probe a page that has every problem that it checks for.
func TestProbeFindsFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	found, console := measure(t, chromium(t),
		map[string]string{"broken": `<!doctype html><div style="width:5000px">wide</div>
<p style="width:3em;overflow-wrap:anywhere">uninterrupted</p><div class="scroll" style="overflow:hidden;width:50px"><table><tbody><tr>
<td style="position:sticky;left:0;min-width:90px">name</td><td>value</td></tr></tbody></table></div><figure id="a"><svg viewBox="0 0 100 100" width="300" height="300"><text x="95" y="50">cut off</text></svg></figure><figure id="b"></figure>
<script>console.error("trouble")</script>`})
	faults := strings.Join(found["broken/360"].faults(360, 3), "\n")
	if m := found["broken/360"]; !slices.Equal(m.Broken, []string{"uninterrupted"}) || len(m.Lost) != 1 {
		t.Errorf("broken %q, lost %q", m.Broken, m.Lost)
	}
	for _, want := range []string{"wide", "no headline", "2 charts, want 3", "chart a: {", `text cut off: ["cut off"]`,
		"chart b: {"} {
		if !strings.Contains(faults, want) {
			t.Errorf("%q not found in\n%s", want, faults)
		}
	}
	if !strings.Contains(strings.Join(console, "\n"), "trouble") {
		t.Errorf("console: %q", console)
	}
}

// TestScreenshot checks that something is painted, in both colour schemes.
func TestScreenshot(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := chromium(t)
	for _, dark := range []bool{false, true} {
		folder := t.TempDir()
		page, picture := filepath.Join(folder, "report.html"), filepath.Join(folder, "report.png")
		if err := os.WriteFile(page, []byte(write(t, fixture.Complete())), 0o644); err != nil {
			t.Fatal(err)
		}
		flags := []string{"--window-size=1000,2400", "--hide-scrollbars", "--screenshot=" + picture}
		if dark {
			flags = append(flags, "--blink-settings=preferredColorScheme=0")
		}
		open(t, browser, "file://"+page, flags...)
		file, err := os.Open(picture)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		image, err := png.Decode(file)
		if err != nil {
			t.Fatal(err)
		}
		colours := map[[3]uint32]int{}
		for y := 0; y < image.Bounds().Dy(); y += 3 {
			for x := 0; x < image.Bounds().Dx(); x += 3 {
				r, g, b, _ := image.At(x, y).RGBA()
				colours[[3]uint32{r >> 8, g >> 8, b >> 8}]++
			}
		}
		background, base := [3]uint32{0xf6, 0xf7, 0xf9}, [3]uint32{0x2f, 0x6f, 0xb5}
		if dark {
			background, base = [3]uint32{0x12, 0x16, 0x1c}, [3]uint32{0x6a, 0xaa, 0xf0}
		}
		if len(colours) < 50 || colours[background] < 1000 || colours[base] < 100 {
			t.Errorf("dark %v: %d colours, %d of the background, %d of the bars of base", dark, len(colours),
				colours[background], colours[base])
		}
	}
}
