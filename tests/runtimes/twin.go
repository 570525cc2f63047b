// Healthy programs of several kinds. usage: twin KIND ROUNDS: a heap dump a round
package main

import (
	"bytes"
	"container/list"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

type item struct {
	Key  string
	Body []byte
	Tags map[string]string
}

var pool = sync.Pool{New: func() interface{} { return new(bytes.Buffer) }}
var cache = map[string]*item{}
var order = list.New()
var ring [256]*item
var lock sync.Mutex
var counters = map[string]int{}

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

func newItem(i int) *item {
	return &item{fmt.Sprintf("key%d", i), make([]byte, 400+i%64), map[string]string{"n": fmt.Sprint(i)}}
}

func lru(i int) {
	it := newItem(i)
	cache[it.Key] = it
	order.PushBack(it)
	if order.Len() > 500 {
		old := order.Remove(order.Front()).(*item)
		delete(cache, old.Key)
	}
}

func work(kind string, i int) {
	switch kind {
	case "lru":
		lru(i)
	case "ring":
		ring[i%len(ring)] = newItem(i)
	case "json":
		b, _ := json.Marshal(newItem(i))
		var it item
		_ = json.Unmarshal(b, &it)
	case "pool":
		b := pool.Get().(*bytes.Buffer)
		b.Reset()
		b.WriteString(strings.Repeat("x", 100+i%3000))
		pool.Put(b)
	case "counters":
		counters[fmt.Sprintf("c%d", i%40)]++
	case "steady":
		t := time.AfterFunc(time.Microsecond, func() {})
		t.Stop()
	}
}

func main() {
	kind := os.Args[1]
	var rounds int
	fmt.Sscan(os.Args[2], &rounds)
	jobs := make(chan int, 10)
	var wait sync.WaitGroup
	for w := 0; w < 8 && kind == "workers"; w++ {
		go func() {
			for i := range jobs {
				lock.Lock()
				ring[i%len(ring)] = newItem(i)
				lock.Unlock()
				wait.Done()
			}
		}()
	}
	for round := 0; round < rounds; round++ {
		for k := 0; k < 700; k++ {
			i := round*700 + k
			switch kind {
			case "workers":
				wait.Add(1)
				jobs <- i
			case "spawn":
				wait.Add(1)
				go func() { work("json", i); wait.Done() }()
			default:
				work(kind, i)
			}
		}
		wait.Wait()
		time.Sleep(10 * time.Millisecond)
		dump(fmt.Sprintf("%s-%02d.dump", kind, round))
	}
}
