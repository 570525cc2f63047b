package com.acme.pool;

import com.acme.record.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A leak: what a task leaves in a ThreadLocal stays as long as the pool's thread. */
public final class Workers {
    static final ThreadLocal<Trail> TRAIL = ThreadLocal.withInitial(Trail::new);

    static final class Trail {
        final List<Span> spans = new ArrayList<>();
    }

    static final class Span {
        final String name;
        final long[] marks = new long[6];

        Span(String name) {
            this.name = name;
        }
    }

    static void work(int task) {
        TRAIL.get().spans.add(new Span("task " + task));
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        for (int step = 0; recorder.goesOn(step, 16); step++) {
            CountDownLatch done = new CountDownLatch(400);
            for (int i = 0; i < 400; i++) {
                int task = i;
                pool.execute(() -> {
                    work(task);
                    done.countDown();
                });
            }
            done.await();
            recorder.step();
        }
        pool.shutdown();
    }
}
