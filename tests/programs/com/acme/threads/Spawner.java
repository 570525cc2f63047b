package com.acme.threads;

import com.acme.record.Recorder;
import java.util.concurrent.CountDownLatch;

/** A leak: each job gets a thread that waits for another job, and no one comes. */
public final class Spawner {
    static final class Worker implements Runnable {
        private final byte[] buffer = new byte[30000];
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch another = new CountDownLatch(1);

        @Override
        public void run() {
            buffer[0]++;
            started.countDown();
            try {
                another.await();
            } catch (InterruptedException exception) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        int number = 0;
        while (recorder.next())
            for (int i = 0; i < 5; i++) {
                Worker worker = new Worker();
                Thread thread = new Thread(worker, "worker-" + number++);
                thread.setDaemon(true);
                thread.start();
                worker.started.await();
            }
    }
}
