package com.acme.futures;

import com.acme.record.Recorder;
import java.util.concurrent.CompletableFuture;

/** A leak: whoever asks waits for what is never completed, and stays in its chain. */
public final class Startup {
    private static final CompletableFuture<String> READY = new CompletableFuture<>();

    static final class Question {
        final byte[] body = new byte[150];
        String answer;

        void answer(String text) {
            answer = text;
        }
    }

    static void ask() {
        Question question = new Question();
        READY.thenAccept(question::answer);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        while (recorder.next())
            for (int i = 0; i < 500; i++) ask();
    }
}
