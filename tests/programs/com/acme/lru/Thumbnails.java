package com.acme.lru;

import com.acme.record.Recorder;
import java.util.LinkedHashMap;
import java.util.Map;

/** A leak: what should remove the eldest entry has another name than the map calls. */
public final class Thumbnails {
    static final Map<Integer, Thumbnail> RECENT = new LinkedHashMap<Integer, Thumbnail>(16, 0.75f, true) {
        protected boolean removeEldest(Map.Entry<Integer, Thumbnail> eldest) {
            return size() > 100;
        }
    };

    static final class Thumbnail {
        final byte[] pixels = new byte[300];
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        int number = 1000;
        while (recorder.next())
            for (int i = 0; i < 400; i++) RECENT.computeIfAbsent(number++, key -> new Thumbnail());
    }
}
