package com.acme.nightly;

import com.acme.record.Recorder;
import java.util.ArrayList;
import java.util.List;

/** Healthy: each job makes a table of its own size; the one before is garbage then. */
public final class Nightly {
    private List<Line> table = new ArrayList<>();

    static final class Line {
        final double[] sums = new double[20];
    }

    void run(int lines) {
        List<Line> made = new ArrayList<>();
        for (int i = 0; i < lines; i++) made.add(new Line());
        table = made;
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 18);
        Nightly nightly = new Nightly();
        for (int job = 0; recorder.next(); job++) nightly.run(2000 + job * 7919 % 1500);
        System.out.println(nightly.table.size());
    }
}
