package com.acme.logging;

import com.acme.record.Recorder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A leak: each job gets a logger context of its own, by a name that never comes again. */
public final class LogManager {
    private static final ConcurrentHashMap<String, LoggerContext> contexts = new ConcurrentHashMap<>();

    static final class LoggerContext {
        final Map<String, Logger> loggers = new HashMap<>();

        Logger get(String name) {
            return loggers.computeIfAbsent(name, key -> new Logger(key, this));
        }
    }

    static final class Logger {
        final String name;
        final LoggerContext context;
        int level = 3;

        Logger(String name, LoggerContext context) {
            this.name = name;
            this.context = context;
        }
    }

    static Logger find(String context, String name) {
        return contexts.computeIfAbsent(context, key -> new LoggerContext()).get(name);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        int job = 0;
        while (recorder.next())
            for (int i = 0; i < 60; i++) {
                String context = "job-" + job++;
                for (int name = 0; name < 12; name++) find(context, "com.acme.step" + name).level = 2;
            }
    }
}
