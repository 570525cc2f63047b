package com.acme.editor;

import com.acme.record.Recorder;

/** A leak: what can be undone is a chain without an end. */
public final class Editor {
    private static Command undo;

    static final class Command {
        final Command previous;
        final char[] removed = new char[100];

        Command(Command previous) {
            this.previous = previous;
        }
    }

    static void type() {
        undo = new Command(undo);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        while (recorder.next())
            for (int i = 0; i < 500; i++) type();
    }
}
