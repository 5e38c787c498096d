// Answers CDI problems with the library that container runtimes use: one JSON problem per line in, one answer per line out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	oci "github.com/opencontainers/runtime-spec/specs-go"
	"tags.cncf.io/container-device-interface/pkg/cdi"
)

// problem is the content of spec directories by file name, in rising priority, and a container that wants devices.
// "{root}" stands for the folder that all of it is in.
type problem struct {
	Dirs    []map[string]string
	Devices []string
	Env     []string
	User    [2]uint32
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<24), 1<<24)
	for lines.Scan() {
		var p problem
		must(json.Unmarshal(lines.Bytes(), &p))
		answer, err := json.Marshal(solve(p))
		must(err)
		fmt.Println(string(answer))
	}
}

func solve(p problem) (answer map[string]any) {
	root, err := os.MkdirTemp("", "cdi")
	must(err)
	defer os.RemoveAll(root)
	defer func() {
		if reason := recover(); reason != nil {
			answer = map[string]any{"panic": true}
		}
	}()
	dirs := []string{}
	for i, files := range p.Dirs {
		dir := filepath.Join(root, fmt.Sprint(i))
		must(os.Mkdir(dir, 0o755))
		dirs = append(dirs, dir)
		for name, content := range files {
			must(os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
		}
	}
	cache, err := cdi.NewCache(cdi.WithSpecDirs(dirs...), cdi.WithAutoRefresh(false))
	must(err)
	_ = cache.Refresh()
	failed := map[string][]string{}
	for path, errs := range cache.GetErrors() {
		name, _ := filepath.Rel(root, path)
		for _, err := range errs {
			failed[name] = append(failed[name], strings.ReplaceAll(err.Error(), root, "{root}"))
		}
		slices.Sort(failed[name])
	}
	answer = map[string]any{"errors": failed, "devices": cache.ListDevices()}
	if len(p.Devices) == 0 {
		return answer
	}
	spec := &oci.Spec{Process: &oci.Process{Env: p.Env, User: oci.User{UID: p.User[0], GID: p.User[1]}}}
	wanted := []string{}
	for _, device := range p.Devices { // as containerd's WithCDI: each once
		if !slices.Contains(wanted, device) {
			wanted = append(wanted, device)
		}
	}
	if _, err := cache.InjectDevices(spec, wanted...); err != nil {
		answer["error"] = strings.ReplaceAll(err.Error(), root, "{root}")
	} else {
		answer["container"] = spec
	}
	return answer
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
