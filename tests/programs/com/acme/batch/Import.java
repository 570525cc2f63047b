package com.acme.batch;

import com.acme.record.Recorder;
import java.util.ArrayList;
import java.util.List;

/**
 * Healthy: rows are gathered and written as a batch, a saw-tooth. The second argument is the step to
 * end with: in the trough after a batch, or at the top of one.
 */
public final class Import {
    private final List<Row> batch = new ArrayList<>();
    private long written;

    static final class Row {
        final String text;
        final double[] numbers = new double[8];

        Row(int number) {
            text = "row " + number;
        }
    }

    void add(Row row) {
        batch.add(row);
    }

    void write() {
        written += batch.size();
        batch.clear();
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        int steps = Integer.parseInt(arguments[1]);
        Import rows = new Import();
        for (int step = 0; recorder.goesOn(step, steps); step++) {
            if (step % 5 == 0) rows.write();
            for (int i = 0; i < 600; i++) rows.add(new Row(i));
            if (step % 5 == 4 && step + 1 == steps) rows.write();
            recorder.step();
        }
        System.out.println(rows.written);
    }
}
