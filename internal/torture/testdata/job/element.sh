#!/bin/sh
# An element of a replay: the program, and the directory of the job.
exec "$1" replay element "$2"
