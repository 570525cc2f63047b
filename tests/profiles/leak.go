// A leak in Go, and a healthy twin: profiles of the heap, one a round, and the last one as text.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
)

type session struct {
	user string
	body []byte
}

var sessions = map[int]*session{}

func open(i int) {
	sessions[i] = &session{user: fmt.Sprintf("user%d", i), body: make([]byte, 4096)}
}

func end(i int) {
	delete(sessions, i)
}

func work() int {
	sum := 0
	for i := 0; i < 100; i++ {
		block := make([]byte, 1000+i)
		sum += len(block)
	}
	return sum
}

func write(path string, debug int) {
	file, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	pprof.Lookup("heap").WriteTo(file, debug)
	file.Close()
}

func main() {
	runtime.MemProfileRate = 4096
	rounds, leaks := 6, os.Args[2] == "leak"
	for round := 0; round < rounds; round++ {
		for i := 0; i < 1000; i++ {
			open(round*1000 + i)
			work()
			if !leaks && i >= 100 {
				end(round*1000 + i - 100)
			}
		}
		for i := 900; !leaks && i < 1000; i++ {
			end(round*1000 + i)
		}
		runtime.GC()
		write(fmt.Sprintf("%s/%d.pb.gz", os.Args[1], round), 0)
	}
	// A profile is that of the last collection: without another one this is the same as the sixth.
	write(os.Args[1]+"/debug1.txt", 1)
}
