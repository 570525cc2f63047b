package com.acme.journal;

import com.acme.record.Recorder;
import java.util.Arrays;

/** A leak: one text that is only ever added to; no object is new, one is larger. */
public final class Journal {
    private static final Journal INSTANCE = new Journal();
    private byte[] text = new byte[0];

    void add(byte[] line) {
        int end = text.length;
        text = Arrays.copyOf(text, end + line.length);
        System.arraycopy(line, 0, text, end, line.length);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        byte[] line = new byte[15000];
        while (recorder.next())
            for (int i = 0; i < 10; i++) INSTANCE.add(line);
    }
}
