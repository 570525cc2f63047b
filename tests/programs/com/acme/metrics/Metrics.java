package com.acme.metrics;

import com.acme.record.Recorder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A leak: every measurement is kept, by its kind. */
public final class Metrics {
    enum Kind { REQUESTS, ERRORS, LATENCY }

    static final class Sample {
        final long time;
        final double value;

        Sample(long time, double value) {
            this.time = time;
            this.value = value;
        }
    }

    private static final Map<Kind, List<Sample>> SAMPLES = new EnumMap<>(Kind.class);

    static void measure(Kind kind, long time) {
        SAMPLES.computeIfAbsent(kind, key -> new ArrayList<>()).add(new Sample(time, time * 0.5));
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        long time = 0;
        while (recorder.next())
            for (int i = 0; i < 3000; i++) measure(Kind.values()[i % 3], time++);
    }
}
