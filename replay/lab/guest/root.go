package guest

import (
	"bufio"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// rootDirs are made in the guest's root, for what is mounted and made there.
var rootDirs = []string{"dev", "etc", "home", "journal", "lab-modules", "proc", "root", "run", "sys", "tmp", "usr", "var"}

// merged are directories that a system of today has in /usr.
var merged = []string{"bin", "sbin", "lib", "lib32", "lib64", "libx32"}

// etcFiles are files of this machine that programs in the guest read: accounts,
// where libraries are, and what mkfs takes for defaults. None holds a secret.
var etcFiles = []string{"passwd", "group", "nsswitch.conf", "ld.so.cache", "ld.so.conf", "mke2fs.conf", "services", "protocols"}

// modulesDir is where the guest has its modules.
const modulesDir = "lab-modules"

// writeRoot writes a guest's root into a file: this executable, which must be
// static, as its first program, modules, and the mission.
func writeRoot(name, self string, modules []string, m *mission) error {
	if err := static(self); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	err = errors.Join(fillRoot(&archive{out: out}, self, modules, m), out.Flush(), file.Close())
	if err != nil {
		return fmt.Errorf("make the guest's root: %w", err)
	}
	return nil
}

func fillRoot(a *archive, self string, modules []string, m *mission) error {
	for _, dir := range rootDirs {
		a.dir(dir, 0o755)
	}
	// The kernel opens it for the first program, before that has mounted
	// anything.
	a.device("dev/console", 5, 1)
	for _, name := range merged {
		to, err := os.Readlink("/" + name)
		if err != nil {
			if _, statErr := os.Stat("/" + name); statErr == nil {
				return fmt.Errorf("/%s is no link into /usr: this system's programs cannot be shared with a guest", name)
			}
			continue
		}
		a.link(name, strings.TrimPrefix(to, "/"))
	}
	for _, name := range etcFiles {
		if text, err := os.ReadFile(filepath.Join("/etc", name)); err == nil {
			a.text("etc/"+name, string(text), 0o644)
		}
	}
	a.dir("etc/alternatives", 0o755)
	links, _ := os.ReadDir("/etc/alternatives") // there need not be any
	for _, l := range links {
		if to, err := os.Readlink(filepath.Join("/etc/alternatives", l.Name())); err == nil {
			a.link("etc/alternatives/"+l.Name(), to)
		}
	}
	a.dir("etc/mdadm", 0o755)
	a.text("etc/hosts", "127.0.0.1 localhost guest\n", 0o644)
	a.link("etc/mtab", "../proc/self/mounts")
	m.Modules = nil
	for _, path := range modules {
		inside := modulesDir + "/" + filepath.Base(path)
		a.copy(inside, path, 0o644)
		m.Modules = append(m.Modules, "/"+inside)
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	a.text(strings.TrimPrefix(missionFile, "/"), string(text), 0o644)
	a.copy("init", self, 0o755)
	return a.end()
}

// static makes sure that a program runs without any library.
func static(name string) error {
	file, err := elf.Open(name)
	if err != nil {
		return fmt.Errorf("a guest's first program: %w", err)
	}
	defer file.Close()
	for _, p := range file.Progs {
		if p.Type == elf.PT_INTERP {
			return fmt.Errorf("%s needs libraries, and can be no guest's first program: build it with CGO_ENABLED=0", name)
		}
	}
	return nil
}
