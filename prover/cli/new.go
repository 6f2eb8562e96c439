package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"
)

// crateName matches the package names that cargo accepts.
var crateName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// templateFile is a file of a new program. In its text %s is the program's name.
type templateFile struct{ path, text string }

// templates are the files of a new program, by language.
var templates = map[string][]templateFile{
	"rust": {
		{"Cargo.toml", `[package]
name = "%s"
version = "0.1.0"
edition = "2024"

[dependencies]
chiasmus-guest = "0.1" # prover build has it
serde = { version = "1", features = ["derive"] }

[profile.release]
opt-level = 3
lto = true
codegen-units = 1
panic = "abort"
`},
		{"rust-toolchain.toml", `# What rustup takes here; Debian's cargo-web has the same version.
[toolchain]
channel = "1.96.0"
components = ["rust-src"]
`},
		{"src/main.rs", `//! %s: counts the words of the private input.
use chiasmus_guest::io;
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Serialize)]
struct Output {
    words: u64,
    different: u64,
}

fn main() {
    let text = std::str::from_utf8(io::private()).expect("the input is text");
    let words: Vec<&str> = text.split_whitespace().collect();
    let different: BTreeSet<&str> = words.iter().copied().collect();
    println!("{} words, {} different", words.len(), different.len()); // shown to the user, not proven
    io::commit(&Output { words: words.len() as u64, different: different.len() as u64 }); // public
}
`},
	},
	"c": {
		{"main.c", `/* %s: counts the words of the private input. */
#include "zkvm.h"

#include <ctype.h>
#include <stdio.h>

int main(void) {
    const uint8_t *text;
    size_t size;
    read_input(&text, &size);
    uint64_t words = 0;
    for (size_t i = 0; i < size; i++) words += !isspace(text[i]) && (i == 0 || isspace(text[i - 1]));
    printf("%%llu words\n", (unsigned long long)words); /* shown to the user, not proven */
    write_output((const uint8_t *)&words, sizeof words); /* public */
    return 0;
}
`},
	},
}

// exampleInput is the private input that comes with a new program.
const exampleInput = "the quick brown fox jumps over the lazy dog\n"

func (p *program) newCommand() *cobra.Command {
	var language string
	cmd := &cobra.Command{
		Use:   "new NAME [--lang rust|c]",
		Short: "Create a program for the RISC-V machine, in Rust or C",
		Long: `Write a folder NAME with a small program for the RISC-V machine and an input for it. In that folder:

  prover build
  prover run NAME.elf --input input.example
  prover prove --elf NAME.elf --input input.example --proof NAME.proof
  prover verify NAME.proof --elf NAME.elf`,
		Args: Exactly("NAME"),
		RunE: func(_ *cobra.Command, args []string) error { return p.newGuest(args[0], language) },
	}
	cmd.Flags().StringVar(&language, "lang", "rust", "the `LANGUAGE`: rust or c")
	return cmd
}

func (p *program) newGuest(folder, language string) error {
	files, known := templates[language]
	if !known {
		return Usagef("--lang is %q, want rust or c", language)
	}
	name := filepath.Base(folder)
	if !crateName.MatchString(name) {
		return Usagef("the name %q: want a letter, then letters, digits, - and _", name)
	}
	if err := os.Mkdir(folder, 0o755); errors.Is(err, os.ErrExist) {
		return Usagef("%s exists: choose another NAME, or remove it", folder)
	} else if err != nil {
		return &usageError{err}
	}
	if err := writeTemplate(folder, name, files); err != nil {
		return errors.Join(err, os.RemoveAll(folder)) // all of it is new, and the command can be repeated
	}
	called := map[string]string{"rust": "Rust", "c": "C"}[language]
	_, err := fmt.Fprintf(p.stdout, "%s holds a program in %s. Build and run it:\n\n  cd %s\n  prover build\n"+
		"  prover run %s.elf --input input.example\n", folder, called, folder, name)
	return err
}

// writeTemplate writes the files of a new program.
func writeTemplate(folder, name string, files []templateFile) error {
	for _, f := range files {
		text := f.text
		if f.path != "rust-toolchain.toml" {
			text = fmt.Sprintf(f.text, name)
		}
		if err := writeNew(filepath.Join(folder, f.path), text); err != nil {
			return err
		}
	}
	return writeNew(filepath.Join(folder, "input.example"), exampleInput)
}

func writeNew(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
