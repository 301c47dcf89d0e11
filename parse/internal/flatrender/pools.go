package flatrender

// pools are names as people give them to the systems they compare, by kind.
// Multi-way names take their parts from two of them.
var pools = map[string][]string{
	"cpu": {
		"Core i7-8700K", "Core i9-12900K", "Core i9 14900K", "Core i5-12600K", "Core i5 2500K", "Core Ultra 7 155H",
		"Core Ultra 9 285K", "Ryzen 9 5950X", "Ryzen 9 7950X", "Ryzen 9 7950X3D", "Ryzen 7 2700X", "Ryzen 7 1700",
		"Ryzen 5 3600", "Ryzen 5 3600X", "Ryzen AI 9 HX 370", "Threadripper 2990WX", "Threadripper 3990X", "EPYC 7601",
		"EPYC 7601 - 2P", "EPYC 7742", "2 x EPYC 7742", "EPYC 9654", "EPYC 9654 2P", "EPYC 9754", "Xeon Gold 6226R",
		"Xeon Platinum 8380", "2 x Xeon Platinum 8490H", "Xeon E5-2680 v2", "Xeon w9-3495X", "Celeron N5100", "N100",
		"Apple M1", "Apple M2 Pro", "M3 Max", "Ampere Altra Q80-30", "Graviton3", "ThunderX2", "POWER9", "FX-8370",
		"A10-7850K", "Pentium Gold G6400", "Athlon 3000G",
	},
	"gpu": {
		"RX 580", "RX 5700", "RX 5700 XT", "RX 6800 XT", "RX 7900 XT", "RX 7900 XTX", "Vega 56", "Vega 64", "R9 Fury",
		"R9 290", "GTX 980", "GTX 980 Ti", "GTX 1060 6GB", "GTX 1080", "GTX 1080 Ti", "RTX 2070 SUPER", "RTX 3080",
		"RTX 3090", "RTX 4090", "RTX 5090", "Arc A380", "Arc A770", "Arc B580", "Radeon VII", "Radeon HD 7950",
		"GeForce GT 1030", "UHD 630", "Iris Xe", "llvmpipe", "NVIDIA L40S", "H100 PCIe", "A100-SXM4-80GB", "TITAN RTX",
	},
	"disk": {
		"HDD", "SSD", "NVMe", "Samsung 970 EVO", "Samsung 970 EVO Plus 500GB", "Samsung 980 PRO", "Samsung 990 PRO 2TB",
		"Intel Optane 900p", "Optane 905P", "WD_BLACK SN850", "WD_BLACK SN850X 1TB", "WD Blue SN550", "Crucial P3",
		"CT4000P3PSSD8", "Toshiba MG07", "ST4000DM004", "4 x 4TB HDD", "2 x 900p", "RAID0", "RAID 10", "SATA 3.0 SSD",
		"USB 3.2 SSD", "SD Card", "eMMC", "Kingston A400 240GB", "microSD",
	},
	"fs": {
		"EXT4", "EXT3", "ext4", "XFS", "xfs", "Btrfs", "btrfs", "F2FS", "f2fs", "ZFS", "ZFS Mirror", "ZFS RAIDZ",
		"ZFS Raidz2", "JFS", "NILFS2", "ReiserFS", "Reiser4", "Bcachefs", "exFAT", "NTFS3", "Stratis", "tmpfs",
		"EXT4 RAID1 Dual 900p", "Btrfs RAID 0", "Btrfs RAID 10", "EXT4 data=journal", "XFS + DAX", "ZFS lz4", "HAMMER2",
		"UFS", "OverlayFS", "EXT4 mdadm RAID6", "bcachefs (zstd)", "btrfs zstd:3",
	},
	"kernel": {
		"Linux 4.15", "Linux 4.18", "Linux 4.20", "Linux 5.0", "Linux 5.4", "Linux 5.4 LTS", "Linux 5.10", "Linux 5.15",
		"Linux 5.16-rc1", "Linux 6.1 LTS", "Linux 6.2", "Linux 6.8", "Linux 6.12", "Linux 6.12-rc3", "5.14.0-051400rc7",
		"5.16-rc1", "v6.10-rc3", "6.1.0", "6.6.52", "6.11 Git", "Linux 7.0 Git", "5.15.0-56-generic", "4.4.0-21", "linux-next 20240612",
	},
	"distro": {
		"Ubuntu 20.04", "Ubuntu 20.04.6 LTS", "Ubuntu 22.04", "Ubuntu 24.10", "Fedora 33", "Fedora Workstation 40",
		"Debian 12", "Debian 10.2", "openSUSE Tumbleweed", "Clear Linux 32310", "Clear Linux", "Arch Linux", "CentOS Stream 9",
		"RHEL 9.2", "Windows 10", "Windows 11 Pro", "FreeBSD 13.0", "FreeBSD 14.1-RELEASE", "DragonFlyBSD 6.4", "Alpine 3.18",
		"CachyOS", "macOS 14.4", "Solus 4.1", "Manjaro 19.0", "AlmaLinux 9", "WSL2", "Oracle Linux 8", "OpenIndiana",
	},
	"compiler": {
		"GCC 9", "GCC 9.3.0", "GCC 10.2", "GCC 12.2", "GCC 14", "GCC 15.0 20241101", "Clang 12", "Clang 17.0.6", "LLVM Clang 18.1",
		"AOCC 4.0", "ICX 2024.0", "GCC -O2", "GCC -O3 -march=native", "-O3 -march=native", "-Ofast", "-O2", "-O1", "Clang -flto",
		"nvc 23.5", "GCC PGO", "znver4", "x86-64-v3", "-fno-delete-null-pointer-checks", "fwrapv",
	},
	"label": {
		"baseline", "base", "patched", "Patched", "stock", "Stock Clocks", "Before", "After", "before update", "test", "Test Run",
		"My PC", "my-desktop", "Run 1", "Run 2", "Run 10", "run", "default", "performance", "schedutil", "OC 4.5GHz", "OC 5.1GHz",
		"mitigations=off", "mitigations=auto", "nosmt", "SMT On", "SMT Off", "VM", "bare-metal", "Bare Metal", "KVM Guest",
		"Raspberry Pi 4", "Raspberry Pi 5 8GB", "ODROID-N2+", "Jetson Orin", "server01", "server02", "web-3", "laptop",
		"Tests with bad nvme sector size 512", "low-level reformatted, 4k sectors, ashift=12", "64GB DDR5-6000", "32GB 3200 CL16",
		"c5.xlarge", "m5a.2xlarge", "m6i.metal", "t3.micro", "n2-standard-8", "a", "aa", "The Old One",
	},
	"letter": {"a", "b", "c", "d", "e", "A", "B", "C", "D", "E", "F", "G", "x", "y", "z", "I", "II", "III", "X", "Q", "n", "AB", "Ab"},
	"version": {
		"1", "2", "3", "4", "7", "8", "10", "12", "16", "32", "64", "128", "1.0", "1.1", "1.2", "2.0", "2.10", "3.4.1", "v1", "v2",
		"v2.0", "v10", "5.14", "5.16-rc1", "6.1.0", "0.9", "19.1.0", "r34", "1.0-rc2", "20.04", "22.04.1", "9.3", "12.2.0",
	},
	"date": {
		"2019-01-28", "2019-02-11", "2020-07-31", "2021-08-22", "2023-12-01", "2024-01-15", "20190128", "20240115", "01-28",
		"Jan 28", "March 2020", "28 Jan 2019", "2019", "2020", "2021", "2024", "2021-08-22 14", "Q1 2024", "Week 12",
	},
	"mark": {
		"EXT4, 4k", "EXT4, 8k", "EPYC 7601 - 2P", "Ryzen 9 - Eco Mode", "RX 480 - AMDGPU-PRO", "RX 480 - Mesa 13.1", "Xeon (2P)",
		"SSD (SATA)", "SSD (NVMe, Gen4)", "RAID [4 disks]", "noatime,nodiratime", "data=ordered", "vm.swappiness=10",
		"A & B", "A + B", "C++ build", "x2 (two)", "a_b_c", "bcachefs (zstd)", "GCC 9 -O2", "EXT4 + NVMe", "Linux 5.4 - Patched",
		"Core i9 (nosmt)", "2P, 128 Threads", "ext4,data=journal", "[new] kernel", "RTX 3080 - 470.57", "KVM (virtio, raw)",
	},
	"odd": {
		"foo/bar", "50% fill", "#1", "#2", "~/test", "user@host", "\"quoted\"", "it's mine", "1/2", "3.5\" HDD", "before -> after",
		"N = 4", "SE +/- 1", "A;B", "up to 4GHz!", "GPU?", "EXT4 * 2", "MIN: 1", "0x2e", "1e3", "...", "-", "a.", ".b", "1K", "2M 4",
	},
	"unicode": {"Büro-PC", "Café", "Größe 2", "テスト機", "Łódź", "naïve", "10 µs", "Ω-build", "привет", "мой ПК"},
}

// poolKinds are the kinds of pools that names are taken from, the commoner
// ones several times.
var poolKinds = []string{
	"cpu", "cpu", "cpu", "gpu", "gpu", "disk", "disk", "disk", "fs", "fs", "fs", "fs", "kernel", "kernel", "distro", "distro",
	"compiler", "compiler", "label", "label", "label", "letter", "version", "date", "mark",
}

// hardKinds are those whose names run into each other and into digits.
var hardKinds = []string{"letter", "version", "date", "kernel", "gpu", "version", "fs"}

// titles of result files.
var titles = []string{
	"Linux File-Systems", "SSD vs HDD", "Optane RAID", "CPU Comparison", "GPU Driver Update", "5.14 Kernel Benchmarks", "test", "My Run",
	"EC2 m5 Family", "GCC 9 vs. GCC 10", "NVMe + ZFS, 2024", "Distro Shoot-out 12", "1", "mdadm RAID Levels", "Before / After",
}
