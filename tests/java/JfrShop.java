import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Keeps sessions for ever ("leak"), or the last few ("cache"); beside them what lives for a while. Arguments: which, seconds. */
public class JfrShop {
    static final class Session {
        final byte[] content = new byte[4096];
    }

    static final Map<Integer, Session> SESSIONS = new HashMap<>();
    static final Map<Integer, Session> CACHE = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Session> eldest) {
            return size() > 1500;
        }
    };
    static final byte[][] requests = new byte[4000][];

    public static void main(String[] arguments) throws Exception {
        boolean leaks = arguments[0].equals("leak");
        long end = System.nanoTime() + Long.parseLong(arguments[1]) * 1_000_000_000L;
        for (int i = 0; System.nanoTime() < end; i++) {
            (leaks ? SESSIONS : CACHE).put(i, new Session());
            for (int k = 0; k < 20; k++) requests[(i * 20 + k) % requests.length] = new byte[5_000];
            if (i % 250 == 0) System.gc();
            Thread.sleep(1);
        }
        System.out.println(SESSIONS.size() + CACHE.size());
    }
}
