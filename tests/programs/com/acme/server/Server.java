package com.acme.server;

import com.acme.record.Recorder;
import java.util.ArrayDeque;
import java.util.Random;

/** Healthy: as many requests come as are answered, sometimes more, sometimes fewer. */
public final class Server {
    private final ArrayDeque<Request> open = new ArrayDeque<>();

    static final class Request {
        final String path;
        final byte[] body;

        Request(String path, int size) {
            this.path = path;
            body = new byte[size];
        }
    }

    void take(Random random, int count) {
        for (int i = 0; i < count; i++)
            open.add(new Request("/page/" + random.nextInt(1000), 50 + random.nextInt(300)));
    }

    void answer(int left) {
        while (open.size() > left) open.poll();
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        Server server = new Server();
        Random random = new Random(3);
        for (int step = 0; recorder.goesOn(step, 20); step++) {
            server.take(random, 2500);
            server.answer(1500 + random.nextInt(1000));
            recorder.step();
        }
    }
}
