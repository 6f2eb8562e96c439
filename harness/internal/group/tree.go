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

// ThreadFiles returns the path of /proc/PID/task/TID/name for every thread of a process; none if the process has ended
// or there is no /proc. filepath.Glob would also list the threads' folders, of fifty entries each.
func ThreadFiles(pid int, name string) []string {
	tasks := procFile(pid, "task")
	threads, _ := os.ReadDir(tasks)
	files := make([]string, len(threads))
	for i, thread := range threads {
		files[i] = filepath.Join(tasks, thread.Name(), name)
	}
	return files
}

// Children returns the children of all threads of a process.
func Children(pid int) []int {
	var found []int
	for _, task := range ThreadFiles(pid, "children") {
		text, _ := os.ReadFile(task)
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				found = append(found, child)
			}
		}
	}
	return found
}
