package group

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// Descendants returns pid and all processes below it; only pid if there is no /proc.
func Descendants(pid int) []int {
	found := []int{pid}
	for i := 0; i < len(found); i++ {
		found = append(found, Children(found[i])...)
	}
	return found
}

// sorted sorts process ids and removes duplicates.
func sorted(pids []int) []int {
	slices.Sort(pids)
	return slices.Compact(pids)
}

// Children returns the children of all threads of a process.
func Children(pid int) []int {
	var found []int
	tasks, _ := filepath.Glob(procFile(pid, "task/*/children"))
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				found = append(found, child)
			}
		}
	}
	return found
}
