// Package cluster replays one plan on many hosts with Slurm, which queues,
// places, limits and starts again what runs; nothing here schedules anything.
//
// A job is a directory on a file-system that all hosts share. It holds the plan,
// the program itself and, for every element of one Slurm array, a journal as any
// replay has one. An element is a host with a block of targets: it runs the plan
// on its host, goes on from its journal however often it is started, and writes
// a manifest with the hash of every file when all is done. Gathering reads what
// the manifests vouch for.
//
// An element of an array cannot be given a host of its own when it is submitted,
// and must have one: its journal speaks of that host's disks, and a requeued
// element has to clean up and go on there. So the array is submitted on hold,
// every element is given its node (scontrol update ReqNodeList), and then the
// array is released. That keeps one array with one number to look at, to limit
// and to cancel, and needs neither a job a host nor elements that contend for
// hosts.
//
// No published text is ever part of a command line: the batch script is a fixed
// one, and its arguments are the program and the job's directory.
package cluster
