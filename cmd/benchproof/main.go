// Command benchproof reads published benchmark results into one exact
// record, shows it, checks it, and writes it in other forms.
package main

import "os"

func main() { os.Exit(mainExit(os.Args[1:])) }
