package com.acme.strings;

import com.acme.record.Recorder;
import java.util.concurrent.ConcurrentHashMap;

/** A leak: a pool of strings that are never the same, as request numbers are. */
public final class Names {
    static final ConcurrentHashMap<String, String> CANONICAL = new ConcurrentHashMap<>();

    static String canonical(String name) {
        String known = CANONICAL.putIfAbsent(name, name);
        return known != null ? known : name;
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        int request = 0;
        for (int step = 0; recorder.goesOn(step, 16); step++) {
            for (int i = 0; i < 300; i++) canonical("request-" + request++);
            recorder.step();
        }
    }
}
