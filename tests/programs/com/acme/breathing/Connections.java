package com.acme.breathing;

import com.acme.record.Recorder;
import java.util.ArrayDeque;

/** Healthy: a pool has more connections when more are asked for, and closes them afterwards. */
public final class Connections {
    private final ArrayDeque<Connection> open = new ArrayDeque<>();

    static final class Connection {
        final byte[] received = new byte[2048];
    }

    void resize(int count) {
        while (open.size() < count) open.add(new Connection());
        while (open.size() > count) open.poll();
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 18);
        Connections pool = new Connections();
        int[] load = {200, 260, 330, 380, 330, 260, 200, 150, 120, 150};
        for (int step = 0; recorder.next(); step++) pool.resize(load[step % load.length]);
    }
}
