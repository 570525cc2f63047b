package com.acme.finalizers;

import com.acme.record.Recorder;
import java.util.concurrent.CountDownLatch;

/** A leak: what is to be finalized comes faster than the finalizer is, which waits for a lock here. */
public final class Handles {
    static final CountDownLatch DEVICE = new CountDownLatch(1);

    static final class NativeHandle {
        final byte[] state = new byte[200];

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() throws InterruptedException {
            DEVICE.await();
        }
    }

    static int open() {
        return new NativeHandle().state.length;
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        long sum = 0;
        while (recorder.next())
            for (int i = 0; i < 500; i++) sum += open();
        System.out.println(sum);
        Runtime.getRuntime().halt(0);
    }
}
