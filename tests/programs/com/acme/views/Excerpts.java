package com.acme.views;

import com.acme.record.Recorder;
import java.util.ArrayList;
import java.util.List;

/** A leak: of each page only the first lines are kept, but as a view, which holds the whole page. */
public final class Excerpts {
    static final List<List<String>> previews = new ArrayList<>();

    static List<String> load(int page) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 50; i++) lines.add("page " + page + ", line " + i);
        return lines;
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        int page = 0;
        while (recorder.next())
            for (int i = 0; i < 40; i++) previews.add(load(page++).subList(0, 2));
    }
}
