module github.com/benchproof/benchproof

go 1.26
