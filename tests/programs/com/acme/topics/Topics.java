package com.acme.topics;

import com.acme.record.Recorder;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** A leak: of many small tables each grows a little. */
public final class Topics {
    static final Map<String, Topic> topics = new HashMap<>();

    static final class Topic {
        final TreeMap<Long, Message> messages = new TreeMap<>();
    }

    static final class Message {
        final byte[] body = new byte[64];
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        long number = 0;
        while (recorder.next())
            for (int i = 0; i < 900; i++)
                topics.computeIfAbsent("topic " + number % 300, key -> new Topic()).messages.put(
                    number++, new Message());
    }
}
