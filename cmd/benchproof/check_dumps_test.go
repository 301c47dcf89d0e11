package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dumpFinding is a finding that a published dump must have: of a code, and with
// these words in its message.
type dumpFinding struct {
	code  string
	words []string
}

// TestCheckOfDumps: what is known to be wrong with the five published dumps is
// found, as often as it is there, and nothing else about figures. Each is
// worked out by hand from what is published and from what the tools are known
// to print.
func TestCheckOfDumps(t *testing.T) {
	dir := sampleDir(t)
	if dir == "" {
		t.Skip("needs the published samples")
	}
	const overConnections, cache = "warning clients-over-connections", "info cache-bound"
	for name, want := range map[string][]dumpFinding{
		"optane-900p-raid.txt": {
			// 32 cores with 64 threads: 256 clients, of which version 10
			// takes 100.
			{overConnections, []string{"Mostly RAM", "Read Only", "256 clients", "100 connections"}},
			{overConnections, []string{"Mostly RAM", "Read Write"}},
			{overConnections, []string{"Buffer Test", "Read Write"}},
			// 4404 MB/s of a disk that gives the others 2613.
			{cache, []string{"Random Read", "2MB", "ZFS 900p, ZFS RAIDZ Dual 900p"}},
			{cache, []string{"Random Read", "4KB", "(MB/s)", "ZFS 900p"}},
			{cache, []string{"Random Read", "4KB", "(IOPS)", "ZFS 900p"}},
			{cache, []string{"Sequential Read", "2MB", "ZFS 900p"}},
			{cache, []string{"Sequential Read", "4KB", "(MB/s)", "ZFS 900p"}},
			{cache, []string{"Sequential Read", "4KB", "(IOPS)", "ZFS 900p"}},
			// 2683 MB/s compiled onto a disk that takes 2162; what the tree
			// is read with, 1580 of 2615, is no more than it gives.
			{cache, []string{"Test: Compile", "2156 to 2171", "XFS 900p, Btrfs 900p, F2FS 900p, XFS RAID1 Dual 900p, Btrfs RAID1 Dual 900p"}},
			{"info censored", []string{"4 tests", "2MB"}}, // two reads, two writes
		},
		"mdadm-raid-levels.txt": {
			{"info censored", []string{"Sequential Read", "11 systems", "1000 MB/s"}}, // the largest printed is 997.53
			{"info far-apart", []string{"IOzone", "8.77", "1142.43"}},
		},
		"f2fs-xfs-ext4-hdd-ssd.flat.txt": {
			// 16 cores with 32 threads: 128 clients.
			{overConnections, []string{"Read Only", "128 clients", "100 connections"}},
			{overConnections, []string{"Read Write", "128 clients"}},
			{"info censored", []string{"Random Read", "4KB", "HDD: EXT4, HDD: F2FS, HDD: XFS"}},
			{"info censored", []string{"Random Write", "4KB", "HDD: EXT4, HDD: F2FS, HDD: XFS"}},
			{"info censored", []string{"4 tests", "4MB"}},
			{cache, []string{"Test: Compile", "HDD: EXT4", "SSD: XFS"}},
			{cache, []string{"Test: Initial Create", "HDD: EXT4, HDD: XFS"}},
			{"info far-apart", []string{"Random Read", "4KB", "2.14", "365"}},
			{"info far-apart", []string{"Random Write", "4KB", "2.36", "357"}},
			{"info runs-added", []string{"up to 12"}},
			{"info large-error", []string{"SSD: XFS", "BlogBench 1.1 Test: Write", "19 %"}},
		},
		"ssd-vs-zfs-hdds.flat.txt": {
			// 2392 MB/s from an SSD that gives fio 476.
			{cache, []string{"Read Compiled Tree", "476", "SSD, ZFS Mirror"}},
			{cache, []string{"Test: Compile", "474", "SSD, ZFS Mirror"}},
			{cache, []string{"No Sync/FSync", "SSD, ZFS Mirror"}},
			{"info censored", []string{"4 tests", "2MB"}},
			{"info runs-added", []string{"up to 15"}},
		},
		"linux-5.14-filesystems.txt": {
			{overConnections, []string{"MariaDB", "256 clients", "151 connections"}},
			{overConnections, []string{"MariaDB", "512 clients", "151 connections"}},
			{"warning identity-latency", []string{"Scaling Factor: 100 ", "bad zfs block size", "57"}},
			{"warning identity-latency", []string{"Scaling Factor: 1000 ", "bad zfs block size", "53.3"}},
			{"warning identity-latency", []string{"Scaling Factor: 1000 ", "EXT4", "51.8"}},
			{"info system-empty", []string{"CT4000P3PSSD8"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			e, stdout, stderr := testEnv(nil)
			if code := run(t.Context(), e, []string{"check", filepath.Join(dir, name), "--json"}); code != exitOK {
				t.Fatalf("code %d: %s", code, stderr)
			}
			var doc struct {
				Diagnostics []struct{ Severity, Code, Message string }
			}
			if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
				t.Fatal(err)
			}
			// How a dump was read, in which unit it is printed and what it
			// leaves out is not about figures that are there.
			reading := []string{"components-inferred", "identifier-guessed", "failed-entry", "unit-known-wrong", "missing", "inferred"}
			left := slices.Clone(want)
			for _, d := range doc.Diagnostics {
				if slices.Contains(reading, d.Code) {
					continue
				}
				i := slices.IndexFunc(left, func(f dumpFinding) bool {
					return f.code == d.Severity+" "+d.Code &&
						!slices.ContainsFunc(f.words, func(w string) bool { return !strings.Contains(d.Message, w) })
				})
				if i < 0 {
					t.Errorf("found beside: %s %s: %s", d.Severity, d.Code, d.Message)
					continue
				}
				left = slices.Delete(left, i, i+1)
			}
			for _, f := range left {
				t.Errorf("not found: %s with %q", f.code, f.words)
			}
		})
	}
}
