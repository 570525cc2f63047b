package com.acme.refqueue;

import com.acme.record.Recorder;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.HashSet;
import java.util.Set;

/** A leak: nobody takes what the collector puts into the queue. */
public final class Tracker {
    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
    private static final Set<Tracked> ALIVE = new HashSet<>();

    static final class Tracked extends PhantomReference<Object> {
        final byte[] about = new byte[220];

        Tracked(Object object) {
            super(object, GONE);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        while (recorder.next()) {
            ALIVE.clear(); // all of them are in the queue by now
            for (int i = 0; i < 500; i++) ALIVE.add(new Tracked(new int[2]));
            System.gc();
        }
    }
}
