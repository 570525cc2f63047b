package com.acme.sessions;

import com.acme.record.Recorder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A leak: sessions of a server never expire. */
public final class Web {
    static final class SessionManager {
        private final Map<String, HttpSession> sessions = new ConcurrentHashMap<>();

        HttpSession create(String id) {
            return sessions.computeIfAbsent(id, HttpSession::new);
        }
    }

    static final class HttpSession {
        final String id;
        final Map<String, Object> attributes = new ConcurrentHashMap<>();

        HttpSession(String id) {
            this.id = id;
        }
    }

    static final class User {
        final String name;
        final byte[] picture = new byte[120];

        User(String name) {
            this.name = name;
        }
    }

    private static final SessionManager MANAGER = new SessionManager();

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        int visit = 0;
        while (recorder.next())
            for (int i = 0; i < 250; i++) {
                HttpSession session = MANAGER.create("session-" + visit++);
                session.attributes.put("user", new User("user " + visit));
                session.attributes.put("since", (long) visit);
            }
    }
}
