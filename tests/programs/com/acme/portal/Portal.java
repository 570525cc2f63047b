package com.acme.portal;

import com.acme.record.Recorder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two leaks at once: visitors are never forgotten, and neither is what they did. */
public final class Portal {
    static final Map<Integer, Visitor> visitors = new HashMap<>();
    static final List<Action> trail = new ArrayList<>();

    static final class Visitor {
        final byte[] profile = new byte[400];
    }

    static final class Action {
        final long time;
        final String what;

        Action(long time) {
            this.time = time;
            what = "clicked " + time;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        int number = 0;
        while (recorder.next())
            for (int i = 0; i < 600; i++) {
                if (i % 3 == 0) visitors.put(number, new Visitor());
                trail.add(new Action(number++));
            }
    }
}
