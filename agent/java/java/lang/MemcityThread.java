package java.lang;

import java.lang.ref.WeakReference;

/**
 * What one thread has spent in which methods, and which it is in.
 *
 * <p>Only its own thread writes to it, without locks; another one reads it now and then ({@link MemcityMethods#drain}). So that this
 * one can tell what the running method has spent up to now, the method and the moment from when on it runs are one number that is
 * written at once, and before the time of the method that it replaces is added: whoever finds it unchanged has read times that fit
 * it. Where a processor or compiler swaps the two stores, a reading may say too much, and the next ones say so much less.
 *
 * <p>Lies in java.lang, so that the classes of every loader find it, also of those that ask no parent but for java.*.
 */
final class MemcityThread {
    /** Of {@link #running}, the bits that hold the method; the others hold nanoseconds, which wrap after 4.9 hours. */
    static final int METHOD_BITS = 20;
    static final int METHOD_MASK = (1 << METHOD_BITS) - 1;
    /** Methods of a chunk. Each has two numbers: nanoseconds, calls. */
    static final int CHUNK_BITS = 4;
    static final int CHUNK_MASK = (1 << CHUNK_BITS) - 1;
    /** A stack of more instrumented methods is not followed further: their time counts for the last that is. */
    static final int MAX_DEPTH = 1 << 22;

    final WeakReference<Thread> thread;
    /** Among all that ever ran an instrumented method, from 1. */
    final int number;
    MemcityThread next;

    /** The moment from when on the running method runs, and its number; 0 is code that is not instrumented. */
    long running;
    /** By method / 16; those that the thread never entered are missing. */
    long[][] chunks = new long[4][];
    private int[] callers = new int[16];
    private int depth;

    /** What was told, as {@link #chunks}; the rest belongs to the thread that drains. */
    private long[][] told = new long[4][];
    private long runningBefore;

    MemcityThread(Thread thread, int number) {
        this.thread = new WeakReference<Thread>(thread);
        this.number = number;
        chunks[0] = new long[2 << CHUNK_BITS];
        running = System.nanoTime() << METHOD_BITS;
    }

    /** False if there is no room to follow it: then {@link #exit} must not be called. */
    boolean enter(int method) {
        int index = method >> CHUNK_BITS;
        if (depth == callers.length && !growCallers()) {
            return false;
        }
        long[][] all = chunks;
        long[] chunk = index < all.length ? all[index] : null;
        if (chunk == null) {
            chunk = addChunk(index);
            if (chunk == null) {
                return false;
            }
            all = chunks;
        }
        long before = running;
        int caller = (int) before & METHOD_MASK;
        callers[depth++] = caller;
        long now = System.nanoTime() << METHOD_BITS;
        running = now | method;
        all[caller >> CHUNK_BITS][(caller & CHUNK_MASK) << 1] += (now - (before & ~(long) METHOD_MASK)) >>> METHOD_BITS;
        chunk[(method & CHUNK_MASK) << 1 | 1]++;
        return true;
    }

    void exit(int method) {
        long now = System.nanoTime() << METHOD_BITS;
        long before = running;
        int current = (int) before & METHOD_MASK;
        if (current != method && !unwind(method)) {
            return;
        }
        running = now | callers[--depth];
        chunks[current >> CHUNK_BITS][(current & CHUNK_MASK) << 1] += (now - (before & ~(long) METHOD_MASK)) >>> METHOD_BITS;
    }

    /** As {@link #enter}, where nobody asks for times. */
    void count(int method) {
        int index = method >> CHUNK_BITS;
        long[][] all = chunks;
        long[] chunk = index < all.length ? all[index] : null;
        if (chunk == null) {
            chunk = addChunk(index);
            if (chunk == null) {
                return;
            }
        }
        chunk[(method & CHUNK_MASK) << 1 | 1]++;
    }

    /**
     * A stack that was too small even for {@link #exit} leaves methods behind that were left. False if the method was never entered
     * here.
     */
    private boolean unwind(int method) {
        for (int i = depth - 1; i >= 0; i--) {
            if (callers[i] == method) {
                depth = i;
                return true;
            }
        }
        return false;
    }

    private boolean growCallers() {
        if (depth >= MAX_DEPTH) {
            return false;
        }
        try {
            int[] grown = new int[2 * depth];
            System.arraycopy(callers, 0, grown, 0, depth);
            callers = grown;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    private long[] addChunk(int index) {
        try {
            if (index >= chunks.length) {
                chunks = grown(chunks, index);
            }
            return chunks[index] = new long[2 << CHUNK_BITS];
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    private static long[][] grown(long[][] chunks, int index) {
        long[][] grown = new long[Math.max(2 * chunks.length, index + 1)][];
        System.arraycopy(chunks, 0, grown, 0, chunks.length);
        return grown;
    }

    /**
     * Appends a row for each method that has got more than was told: thread, method, nanoseconds, calls. What `rows` has no room for
     * stays for the next time. `counting` where running times are none of its business.
     */
    int drain(long[] rows, int used, boolean counting) {
        long seen = running;
        long now = System.nanoTime() << METHOD_BITS;
        int method = (int) seen & METHOD_MASK;
        if (seen == runningBefore && !counting) { // nothing was entered or left: it is all the running method's
            return method == 0 ? used : drainMethod(rows, used, method, seen, now);
        }
        long[][] all = chunks;
        for (int index = 0; index < all.length; index++) {
            if (all[index] == null) {
                continue;
            }
            for (int i = index == 0 ? 1 : 0; i <= CHUNK_MASK; i++) {
                if (used + MemcityMethods.ROW > rows.length) {
                    return used;
                }
                int one = index << CHUNK_BITS | i;
                used = drainMethod(rows, used, one, one == method && !counting ? seen : 0, now);
            }
        }
        runningBefore = seen;
        return used;
    }

    /** `since` as {@link #running} was when the method ran, else 0. */
    private int drainMethod(long[] rows, int used, int method, long since, long now) {
        int index = method >> CHUNK_BITS;
        int at = (method & CHUNK_MASK) << 1;
        long[] chunk = index < chunks.length ? chunks[index] : null;
        if (chunk == null) { // an old view of `chunks`
            return used;
        }
        if (index >= told.length) {
            told = grown(told, index);
        }
        if (told[index] == null) {
            if (chunk[at] == 0 && chunk[at + 1] == 0) {
                return used;
            }
            told[index] = new long[2 << CHUNK_BITS];
        }
        long ns = chunk[at];
        long calls = chunk[at + 1] - told[index][at + 1];
        if (since != 0 && since == running) {
            ns += (now - (since & ~(long) METHOD_MASK)) >>> METHOD_BITS;
        }
        ns -= told[index][at];
        if (ns <= 0 && calls <= 0 || used + MemcityMethods.ROW > rows.length) {
            return used;
        }
        ns = Math.max(ns, 0);
        told[index][at] += ns;
        told[index][at + 1] += calls;
        rows[used] = number;
        rows[used + 1] = method;
        rows[used + 2] = ns;
        rows[used + 3] = calls;
        return used + MemcityMethods.ROW;
    }
}
