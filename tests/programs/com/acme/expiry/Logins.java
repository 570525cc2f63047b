package com.acme.expiry;

import com.acme.record.Recorder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Healthy: whoever was not seen for a while is logged out. */
public final class Logins {
    static final int LASTS = 900;
    static final Map<Integer, Login> logins = new LinkedHashMap<>();

    static final class Login {
        final int since;
        final byte[] token = new byte[250];

        Login(int since) {
            this.since = since;
        }
    }

    static void come(int time) {
        logins.put(time, new Login(time));
        while (logins.values().iterator().next().since < time - LASTS) {
            logins.remove(logins.keySet().iterator().next());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 18);
        int time = 0;
        while (recorder.next())
            for (int i = 0; i < 400; i++) come(time++);
    }
}
