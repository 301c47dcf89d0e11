package native

// drivers are the tools, in no order.
var drivers = []driver{
	{"compilebench", "trees of a kernel's size: create, compile, read", compilebench},
	{"iozone", "one file written and read in records", iozone},
	{"blogbench", "threads that write, rewrite, comment and read blogs", blogbench},
	{"ior", "processes that write one shared file", ior},
	{"startup-prepare", "files and background load of startup-time", startupPrepare},
	{"startup-time", "replay of the reads of a program's start", startupTime},
}
