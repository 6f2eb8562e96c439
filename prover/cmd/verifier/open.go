//go:build !wasm

package main

import "os"

func open(path string) (*os.File, error) { return os.Open(path) }
