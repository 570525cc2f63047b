// Ways to leak in Go, each with a healthy twin: a heap dump a round.
// usage: leak WAY leak|healthy ROUNDS [1: every allocation is noted]
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

type session struct {
	user string
	body []byte
	next *session
}

type registry struct {
	name  string
	first *session
	count int
}

var sessions = map[int]*session{}
var shop = registry{name: "shop"}
var queue []*session
var arrived int32

//go:noinline
func newSession(i int) *session {
	return &session{user: fmt.Sprintf("user%d", i), body: make([]byte, 700)}
}

//go:noinline
func handle(body []byte, done chan int) {
	atomic.AddInt32(&arrived, 1)
	n := <-done
	fmt.Fprintln(os.Stderr, n, body[0])
}

func serve(done chan int) {
	go handle(make([]byte, 3000), done)
}

func dump(name string) {
	runtime.GC()
	file, err := os.Create(name)
	if err == nil {
		debug.WriteHeapDump(file.Fd())
		err = file.Close()
	}
	if err != nil {
		panic(err)
	}
}

func main() {
	way, leaks := os.Args[1], os.Args[2] == "leak"
	if way == "wait" {
		time.Sleep(time.Hour)
	}
	var rounds int
	fmt.Sscan(os.Args[3], &rounds)
	if len(os.Args) > 4 {
		runtime.MemProfileRate = 1
	}
	for round := 0; round < rounds; round++ {
		done := make(chan int)
		for k := 0; k < 150; k++ {
			i := round*150 + k
			switch way {
			case "map":
				sessions[i] = newSession(i)
			case "list":
				s := newSession(i)
				s.next, shop.first = shop.first, s
			case "slice":
				queue = append(queue, newSession(i))
			case "goroutine":
				serve(done)
			}
		}
		for way == "goroutine" && atomic.LoadInt32(&arrived) < int32(round*150+150) {
			runtime.Gosched()
		}
		time.Sleep(10 * time.Millisecond) // all have come to wait
		if !leaks {
			sessions, queue, shop.first = map[int]*session{}, nil, nil
			for way == "goroutine" && runtime.NumGoroutine() > 2 {
				select {
				case done <- 1:
				case <-time.After(time.Millisecond):
				}
			}
		}
		dump(fmt.Sprintf("%s-%s-%d.dump", way, os.Args[2], round))
	}
}
