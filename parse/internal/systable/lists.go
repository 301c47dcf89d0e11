package systable

import "strings"

// set makes a set of words.
func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// makers are names that are no product's name on their own.
var makers = set("AMD Intel NVIDIA ASUS MSI Gigabyte ASRock ATI Realtek Qualcomm Broadcom Samsung Seagate")

var (
	fileSystems = set(`ext2 ext3 ext4 ext4dev xfs btrfs f2fs zfs jfs reiserfs reiser4 nilfs2 bcachefs
		exfat vfat msdosfs ntfs ntfs3 fuseblk fuse stratis overlayfs aufs tmpfs ramfs rootfs devtmpfs
		ufs UFS NTFS hfs hfsplus HFS+ APFS apfs nfs nfs4 cifs smbfs 9p lxfs wslfs drvfs unknown
		Unknown ecryptfs squashfs ubifs yaffs2 glusterfs fuse.glusterfs ceph hammer HAMMER HAMMER2
		hammer2 ffs FFS tux3 logfs lustre gfs2 ocfs2 virtiofs lofs udf FAT32 ReFS XFS EXT4 EXT3 F2FS
		ZFS Btrfs simfs shiftfs gpfs beegfs fuse-overlayfs erofs orangefs dcachefs`)
	memorySizes = set(`1 2 3 4 6 8 12 16 24 31 32 48 64 96 126 128 192 252 256 384 504 512 768 1008 1024 1536 2048 3072
		4096 5120 6144 7168 8192 10240 12288 15360 16384 20480 24576 30720 32768 40960 49152 65536
		98304 131072 262144 524288`)
	diskSizes = set(`4 8 16 18 32 40 58 60 64 80 100 118 120 128 150 160 180 200 240 250 256 275 280 300
		320 375 400 480 500 512 525 640 750 800 960 1000 1024 1500 1920 2000 2048 3001 3000 3201 3841
		3840 4000 4001 4096 5001 6001 7682 8002 8001 10001 12000 12001 14001 16001 18000 20000`)
	sideLengths = set(`320 400 416 480 576 600 640 656 720 768 800 854 864 900 960 1024 1050 1080 1120
		1152 1200 1280 1360 1366 1400 1440 1504 1536 1600 1664 1680 1792 1800 1824 1920 2000 2048
		2160 2256 2304 2400 2560 2736 2880 2960 3000 3072 3200 3240 3360 3440 3456 3520 3840 4000
		4096 4320 4480 4800 5120 5760 6400 7680`)
)
