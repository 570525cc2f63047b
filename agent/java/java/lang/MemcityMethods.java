package java.lang;

/**
 * What instrumented methods call, and what the agent reads. Whatever goes wrong in here, the program must not notice: nothing throws
 * but what the virtual machine itself may throw anywhere, as when a stack is used up.
 */
public final class MemcityMethods {
    /** Numbers of a row of {@link #drain}: thread, method, nanoseconds, calls. */
    static final int ROW = 4;
    /** As many methods as can be told apart. */
    public static final int MAX_METHODS = MemcityThread.METHOD_MASK;
    /** Of threads that live at the same time: what each takes must not become the program's trouble. */
    static final int MAX_THREADS = 10000;

    private static final ThreadLocal<MemcityThread> CURRENT = new ThreadLocal<MemcityThread>();
    private static final Object LOCK = new Object();
    private static MemcityThread head;
    private static int liveCount;
    private static int lastNumber;
    /** Threads that nobody has asked for, oldest first: kept until then, as they are to be named even if they ended. */
    private static Thread[] created = new Thread[16];
    private static int createdCount;
    private static long unfollowedCount;
    /** Where a drain that ran out of room goes on. */
    private static MemcityThread resume;

    private MemcityMethods() {}

    /** What {@link #exit} gets back; null if this call is not followed. An Object, as no loader needs to find that class. */
    public static Object enter(int method) {
        MemcityThread thread = CURRENT.get();
        if (thread == null) {
            thread = create();
        }
        return thread != null && thread.enter(method) ? thread : null;
    }

    public static void exit(Object thread, int method) {
        if (thread != null) {
            ((MemcityThread) thread).exit(method);
        }
    }

    public static void count(int method) {
        MemcityThread thread = CURRENT.get();
        if (thread == null) {
            thread = create();
        }
        if (thread != null) {
            thread.count(method);
        }
    }

    private static MemcityThread create() {
        try {
            Thread thread = Thread.currentThread();
            synchronized (LOCK) {
                if (liveCount >= MAX_THREADS) {
                    unfollowedCount++;
                    return null;
                }
                if (createdCount == created.length) {
                    Thread[] grown = new Thread[2 * createdCount];
                    System.arraycopy(created, 0, grown, 0, createdCount);
                    created = grown;
                }
                MemcityThread state = new MemcityThread(thread, lastNumber + 1);
                CURRENT.set(state);
                state.next = head;
                head = state;
                liveCount++;
                lastNumber++;
                created[createdCount++] = thread;
                return state;
            }
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    /** The threads that are new since the last call; their numbers follow each other, from 1. */
    static Thread[] takeThreads() {
        synchronized (LOCK) {
            Thread[] taken = new Thread[createdCount];
            System.arraycopy(created, 0, taken, 0, createdCount);
            for (int i = 0; i < createdCount; i++) {
                created[i] = null;
            }
            createdCount = 0;
            return taken;
        }
    }

    /** How often a call was not followed since the last call, as there were too many threads. */
    static long takeUnfollowedCount() {
        synchronized (LOCK) {
            long count = unfollowedCount;
            unfollowedCount = 0;
            return count;
        }
    }

    /**
     * Writes what was spent since the last call as rows, and returns how many numbers it wrote. If no further row has room in `rows`,
     * another call goes on there. For one thread at a time. `counting`: no time is asked for.
     */
    static int drain(long[] rows, boolean counting) {
        MemcityThread thread = resume;
        if (thread == null) {
            synchronized (LOCK) {
                thread = head;
            }
        }
        resume = null;
        int used = 0;
        while (thread != null) {
            boolean ended = hasEnded(thread);
            used = thread.drain(rows, used, counting);
            if (used + ROW > rows.length) {
                resume = thread;
                return used;
            }
            MemcityThread next = thread.next;
            if (ended) {
                remove(thread);
            }
            thread = next;
        }
        return used;
    }

    private static boolean hasEnded(MemcityThread state) {
        Thread thread = state.thread.get();
        return thread == null || !thread.isAlive();
    }

    private static void remove(MemcityThread thread) {
        synchronized (LOCK) {
            liveCount--;
            if (head == thread) {
                head = thread.next;
                return;
            }
            MemcityThread before = head;
            while (before.next != thread) {
                before = before.next;
            }
            before.next = thread.next;
        }
    }
}
