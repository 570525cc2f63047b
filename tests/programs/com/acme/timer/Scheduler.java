package com.acme.timer;

import com.acme.record.Recorder;
import java.util.Timer;
import java.util.TimerTask;

/** A leak: each client gets a task that polls for it; when it goes, nobody cancels the task. */
public final class Scheduler {
    private static final long HOUR_MS = 3600 * 1000L;
    private final Timer timer = new Timer("poller", true);

    static final class Poll extends TimerTask {
        private final byte[] seen = new byte[160];
        private long count;

        @Override
        public void run() {
            count += seen.length;
        }
    }

    void connect() {
        timer.schedule(new Poll(), HOUR_MS, HOUR_MS);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        Scheduler scheduler = new Scheduler();
        while (recorder.next())
            for (int i = 0; i < 600; i++) scheduler.connect();
    }
}
