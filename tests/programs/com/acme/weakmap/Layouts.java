package com.acme.weakmap;

import com.acme.record.Recorder;
import java.util.Map;
import java.util.WeakHashMap;

/** A leak: a map of weak keys, but each value holds its key. */
public final class Layouts {
    static final Map<Document, Layout> CACHE = new WeakHashMap<>();

    static final class Document {
        final String title;

        Document(String title) {
            this.title = title;
        }
    }

    static final class Layout {
        final Document document;
        final int[] lines = new int[30];

        Layout(Document document) {
            this.document = document;
        }
    }

    static void print(int number) {
        Document document = new Document("document " + number);
        CACHE.computeIfAbsent(document, Layout::new);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        int number = 0;
        while (recorder.next())
            for (int i = 0; i < 500; i++) print(number++);
    }
}
