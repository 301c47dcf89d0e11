package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set when the program is linked for a release.
var version string

// build is what the program knows of its own making.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func buildInfo() build {
	b := build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b.named()
	}
	if b.Version == "" && info.Main.Version != "(devel)" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b.named()
}

// versionDocument is the JSON form of version.
type versionDocument struct {
	Schema string `json:"schema"`
	build
}

// named makes sure that there is a version.
func (b build) named() build {
	if b.Version == "" {
		b.Version = "devel"
	}
	return b
}

func (a *app) version() *cobra.Command {
	return a.command(command{
		use:     "version",
		short:   "print the version",
		long:    "Version prints the version of the program, of Go, and the platform. --json has\nthe revision of the source, too.",
		exits:   exitsPrint,
		example: "  benchproof version\n  benchproof version --json",
		run: func(_ context.Context, _ []string) error {
			b := buildInfo()
			if a.globals.json {
				return writeJSON(a.e.stdout, versionDocument{"benchproof/version/1", b})
			}
			_, err := fmt.Fprintf(a.e.stdout, "benchproof %s (%s, %s)\n", b.Version, b.Go, b.Platform)
			return err
		},
	})
}
