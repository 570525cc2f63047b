package com.acme.mdc;

import com.acme.record.Recorder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A leak: each request leaves its keys in the diagnostic context of the thread that answered it. */
public final class Requests {
    static final ThreadLocal<Map<String, String>> CONTEXT = ThreadLocal.withInitial(HashMap::new);
    static final int PER_STEP = 800;

    static void answer(int request) {
        CONTEXT.get().put("request." + request, "trace " + request);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        AtomicInteger threads = new AtomicInteger();
        ExecutorService pool =
            Executors.newFixedThreadPool(4, task -> new Thread(task, "http-exec-" + threads.incrementAndGet()));
        int request = 0;
        while (recorder.next()) {
            CountDownLatch done = new CountDownLatch(PER_STEP);
            for (int i = 0; i < PER_STEP; i++) {
                int number = request++;
                pool.execute(() -> {
                    answer(number);
                    done.countDown();
                });
            }
            done.await();
        }
        pool.shutdown();
    }
}
