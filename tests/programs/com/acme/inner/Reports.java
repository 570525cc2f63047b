package com.acme.inner;

import com.acme.record.Recorder;
import java.util.ArrayList;
import java.util.List;

/** A leak: small rows are kept on purpose; each, as an inner class, keeps its report with all pages. */
public final class Reports {
    static final List<Report.Row> history = new ArrayList<>();

    static final class Report {
        final byte[] pages = new byte[4096];

        final class Row { // not static
            final long total;

            Row(long total) {
                this.total = total + pages.length;
            }
        }

        Row summarize() {
            return new Row(pages[0]);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        for (int step = 0; recorder.goesOn(step, 16); step++) {
            for (int i = 0; i < 40; i++) history.add(new Report().summarize());
            recorder.step();
        }
    }
}
