package com.acme.hooks;

import com.acme.record.Recorder;

/** A leak: a client closes itself at the end of the program, so the JVM remembers it until then. */
public final class Clients {
    static final class Client {
        final byte[] buffer = new byte[1500];

        void open() {
            Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close client"));
        }

        void close() {
            buffer[0]++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        while (recorder.next())
            for (int i = 0; i < 60; i++) new Client().open();
        Runtime.getRuntime().halt(0);
    }
}
