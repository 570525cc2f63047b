package com.acme.audit;

import com.acme.record.Recorder;
import java.util.ArrayList;
import java.util.List;

/** A leak: the list of a singleton. */
public final class Audit {
    private final List<Entry> entries = new ArrayList<>();

    static final class Holder {
        static final Audit INSTANCE = new Audit();
    }

    static final class Entry {
        final String user;
        final long[] before = new long[8];

        Entry(int user) {
            this.user = "user " + user;
        }
    }

    void note(int user) {
        entries.add(new Entry(user));
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        while (recorder.next())
            for (int i = 0; i < 500; i++) Holder.INSTANCE.note(i);
    }
}
