package com.acme.ring;

import com.acme.record.Recorder;

/** Healthy: the last events are kept in a ring, which is full after a while. */
public final class Events {
    private static final Event[] LAST = new Event[3000];
    private static int next;

    static final class Event {
        final byte[] text = new byte[180];
    }

    static void happens() {
        LAST[next++ % LAST.length] = new Event();
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 18);
        while (recorder.next())
            for (int i = 0; i < 600; i++) happens();
    }
}
