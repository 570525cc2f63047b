import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/**
 * Methods that burn time in threads, and say at the end, each by its own clock, how much: what a profiler should have found. A line
 * "THREAD METHOD MS CALLS" each. With the argument "wall" or "cpu" only what burns or sleeps for seconds, by that clock; with "many" thousands of virtual
 * threads. -Dburn.percent=N: all that it burns and sleeps is so much shorter.
 */
public final class Burn {
    private static final long MS = Integer.getInteger("burn.percent", 100) * 10000L; // in ns
    private static final Map<String, long[]> TOLD = new TreeMap<>();
    private static ThreadMXBean threads; // if processor time is told
    private static volatile int sink;

    private static long clock() {
        return threads == null ? System.nanoTime() : threads.getCurrentThreadCpuTime();
    }

    /** Less than 30 instructions, no loop: what is left out by itself counts for its callers. */
    private static void tell(String method, long begin) {
        tell(method, clock() - begin, 1);
    }

    private static synchronized void tell(String method, long ns, long calls) {
        tell(method, ns, calls, Thread.currentThread().getName());
    }

    private static synchronized void tell(String method, long ns, long calls, String thread) {
        String key = thread.replace(' ', '_') + " Burn." + method;
        long[] entry = TOLD.computeIfAbsent(key, unused -> new long[2]);
        entry[0] += ns;
        entry[1] += calls;
    }

    static void alpha(long ms) {
        long begin = clock();
        for (long end = System.nanoTime() + ms * MS; System.nanoTime() < end;) {
            sink++;
        }
        tell("alpha", begin);
    }

    static void beta(long ms) {
        long begin = clock();
        for (long end = System.nanoTime() + ms * MS; System.nanoTime() < end;) {
            sink++;
        }
        tell("beta", begin);
    }

    /** Its own time is what it burns before and after the call. */
    static void outer(long ms) {
        long begin = clock();
        for (long end = System.nanoTime() + ms * MS / 2; System.nanoTime() < end;) {
            sink++;
        }
        tell("outer", clock() - begin, 0);
        beta(ms);
        begin = clock();
        for (long end = System.nanoTime() + ms * MS / 2; System.nanoTime() < end;) {
            sink++;
        }
        tell("outer", begin);
    }

    /** Left by an exception, from behind a call that was left by one. */
    static void thrower(int depth, long ms) {
        long begin = clock();
        for (long end = System.nanoTime() + ms * MS; System.nanoTime() < end;) {
            sink++;
        }
        tell("thrower", begin);
        if (depth == 0) {
            throw new IllegalStateException();
        }
        thrower(depth - 1, ms);
    }

    static void catcher(long ms) {
        try {
            thrower(3, ms);
        } catch (IllegalStateException e) {
            sink++;
        }
        long begin = clock();
        for (long end = System.nanoTime() + ms * MS; System.nanoTime() < end;) {
            sink++;
        }
        tell("catcher", begin);
    }

    /** Every level burns a little. */
    static void recursive(int depth) {
        long begin = clock();
        for (long end = System.nanoTime() + 10 * MS; System.nanoTime() < end;) {
            sink++;
        }
        tell("recursive", begin);
        if (depth > 1) {
            recursive(depth - 1);
        }
    }

    /** Burns nothing, but deep down. The loop is there so that it is not a trivial one. */
    static long deep(int depth) {
        long sum = depth;
        for (int i = 0; i < 2; i++) {
            sum += i;
        }
        return depth > 1 ? sum + deep(depth - 1) : sum;
    }

    static long bottomless(long depth) {
        long sum = depth;
        for (int i = 0; i < 2; i++) {
            sum += i;
        }
        return sum + bottomless(depth + 1);
    }

    /** What comes after a stack that was used up is right again. */
    static void overflow() {
        for (int i = 0; i < 3; i++) {
            try {
                bottomless(0);
            } catch (StackOverflowError e) {
                sink++;
            }
        }
        alpha(300);
    }

    /** One call, longer than any batch. */
    static void lasting(long ms) {
        long begin = clock();
        for (long end = System.nanoTime() + ms * MS; System.nanoTime() < end;) {
            sink++;
        }
        tell("lasting", begin);
    }

    static void sleeping(long ms) throws InterruptedException {
        long begin = clock();
        for (int i = 0; i < 4; i++) {
            Thread.sleep(ms * MS / 4000000);
        }
        tell("sleeping", begin);
    }

    /** A constructor, whose object is none before its superclass has been called. */
    static final class Built extends Thread {
        Built(long ms, boolean fails) {
            super(null, null, fails ? new String("built " + ms) : "built", 0);
            long begin = clock();
            for (long end = System.nanoTime() + ms * MS; System.nanoTime() < end;) {
                sink++;
            }
            tell("Built.<init>", begin);
            if (fails) {
                throw new IllegalArgumentException();
            }
        }
    }

    static void build() {
        try {
            new Built(200, false);
            new Built(200, true);
        } catch (IllegalArgumentException e) {
            sink++;
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static Thread start(String name, Work work) {
        Thread thread = new Thread(null, () -> {
            try {
                work.run();
            } catch (Exception e) {
                e.printStackTrace();
            }
        }, name, name.equals("deep") ? 64 << 20 : 0);
        thread.start();
        return thread;
    }

    /** Ten that live shortly, one after the other. */
    private static void runShortThreads() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            start("short", () -> beta(25)).join();
        }
    }

    /** Starts a virtual thread, where there are some; false: there are none. */
    private static boolean startVirtual(String name, Work work) throws Exception {
        Object builder;
        try {
            builder = Thread.class.getMethod("ofVirtual").invoke(null);
        } catch (NoSuchMethodException e) {
            return false;
        }
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        Runnable run = () -> {
            try {
                work.run();
            } catch (Exception e) {
                e.printStackTrace();
            }
        };
        type.getMethod("start", Runnable.class).invoke(type.getMethod("name", String.class).invoke(builder, name), run);
        return true;
    }

    /** Two that sleep and burn by turns. */
    private static void runVirtualThreads() throws Exception {
        CountDownLatch latch = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            boolean isStarted = startVirtual("virtual " + i, () -> {
                for (int turn = 0; turn < 10; turn++) {
                    alpha(20);
                    sleeping(20);
                }
                latch.countDown();
            });
            if (!isStarted) {
                return;
            }
        }
        latch.await();
    }

    /** One that burns: those that wait are in no list of threads. */
    private static void runLongVirtualThread() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        boolean isStarted = startVirtual("virtual", () -> {
            alpha(2000);
            latch.countDown();
        });
        if (isStarted) {
            latch.await();
        }
    }

    /** More than there are numbers for threads, all of one name, some thousands at a time; each burns nothing. */
    private static void runManyVirtualThreads() throws Exception {
        int rounds = 35, count = 2000;
        for (int round = 0; round < rounds; round++) {
            CountDownLatch latch = new CountDownLatch(count);
            for (int i = 0; i < count; i++) {
                boolean isStarted = startVirtual("many", () -> {
                    deep(3);
                    latch.countDown();
                });
                if (!isStarted) {
                    return;
                }
            }
            latch.await();
            Thread.sleep(80);
        }
        tell("deep", 0, 3L * count * rounds, "many");
    }

    private static void runShort() throws Exception {
        Thread one = start("one", () -> {
            alpha(300);
            outer(400);
            catcher(150);
            recursive(50);
            build();
        });
        Thread two = start("two", () -> {
            sleeping(400);
            overflow();
            lasting(1500);
        });
        Thread three = start("deep", () -> {
            deep(100000);
            tell("deep", 0, 100000);
        });
        one.join();
        two.join();
        three.join();
        runShortThreads();
        runVirtualThreads();
    }

    private static void runLong() throws Exception {
        Thread one = start("one", () -> {
            alpha(3000);
            outer(3000);
        });
        Thread two = start("two", () -> {
            lasting(4000);
            sleeping(4000);
        });
        one.join();
        two.join();
    }

    public static void main(String[] arguments) throws Exception {
        tell("main", 0, 0); // what it loads is nobody's time
        TOLD.clear();
        if (arguments.length > 0 && arguments[0].equals("many")) {
            runManyVirtualThreads();
        } else if (arguments.length > 0) {
            threads = arguments[0].equals("cpu") ? ManagementFactory.getThreadMXBean() : null;
            runLong();
            if (threads == null) { // virtual ones don't know their processor time
                runLongVirtualThread();
            }
        } else {
            runShort();
        }
        synchronized (Burn.class) {
            TOLD.forEach((key, entry) -> System.out.printf("%s %.3f %d%n", key, entry[0] / 1e6, entry[1]));
        }
    }
}
