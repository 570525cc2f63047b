package com.acme.scheduled;

import com.acme.record.Recorder;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A leak: time-outs are cancelled, but stay in the executor's queue until their time has come. */
public final class Retries {
    private static final ScheduledThreadPoolExecutor TIMEOUTS = new ScheduledThreadPoolExecutor(1);

    static final class Call {
        final byte[] request = new byte[120];

        void expire() {
            request[0]++;
        }
    }

    static void call() {
        Call call = new Call();
        TIMEOUTS.schedule(call::expire, 1, TimeUnit.HOURS).cancel(false);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        while (recorder.next())
            for (int i = 0; i < 500; i++) call();
        TIMEOUTS.shutdownNow();
    }
}
