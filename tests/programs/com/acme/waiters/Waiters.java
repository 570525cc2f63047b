package com.acme.waiters;

import com.acme.record.Recorder;
import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;

/** A leak: virtual threads (JDK 21 or later) wait for what never happens, each with what it works on. */
public final class Waiters {
    static final CountDownLatch GATE = new CountDownLatch(1);

    static final class Order implements Runnable {
        final byte[] text = new byte[700];

        @Override
        public void run() {
            try {
                GATE.await();
                text[0]++;
            } catch (InterruptedException exception) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        while (recorder.next()) {
            for (int i = 0; i < 150; i++) start.invoke(null, new Order());
            Thread.sleep(5); // until they wait
        }
        Runtime.getRuntime().halt(0);
    }
}
