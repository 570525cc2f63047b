// Fills a heap with users, each with a map of twelve items, and writes its heap dump.
// usage: heap_maker USERS FILE
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

type Item struct {
	Name string
	Tags []string
	Next *Item
	Body []byte
	N    int
}
type User struct {
	Name  string
	Items map[int]*Item
	Last  *Item
}

var users = map[string]*User{}
var last *Item

func make1(i, k int) *Item {
	it := &Item{Name: fmt.Sprintf("item-%d-%d", i, k), Tags: []string{"a", fmt.Sprint(k)}, Body: make([]byte, 16+(i*7+k*31)%900), Next: last, N: i}
	if k%17 == 0 {
		last = it
	}
	return it
}

func main() {
	var n int
	fmt.Sscan(os.Args[1], &n)
	for i := 0; i < n; i++ {
		u := &User{Name: fmt.Sprint("user", i), Items: map[int]*Item{}}
		for k := 0; k < 12; k++ {
			u.Items[k] = make1(i, k)
		}
		users[u.Name] = u
	}
	runtime.GC()
	f, _ := os.Create(os.Args[2])
	debug.WriteHeapDump(f.Fd())
	f.Close()
}
