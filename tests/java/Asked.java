import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What tests/app/test_query_dumps.sh asks about: so many of each thing, at two moments. */
public class Asked {
    static class Session {
        final long created;
        final String user;
        final byte[] data = new byte[2000];

        Session(long created, String user) {
            this.created = created;
            this.user = user;
        }
    }

    static class Cart {
        final List<String> items = new ArrayList<>(30);
    }

    static final Map<Integer, Session> SESSIONS = new HashMap<>();
    static final List<Cart> CARTS = new ArrayList<>();
    static byte[] picture = new byte[3 << 20];
    static Object[] forgotten = new Object[500];

    static void add(int from, int to) {
        for (int i = from; i < to; i++) {
            // 100 of them are of the year 2020, the others of 2026.
            long created = i < 100 ? 1577836800000L : 1767225600000L;
            SESSIONS.put(i, new Session(created, "guest of the shop " + i % 10));
            Cart cart = new Cart();
            if (i % 4 == 0) cart.items.add("book");
            CARTS.add(cart);
        }
    }

    public static void main(String[] arguments) throws Exception {
        add(0, 1000);
        System.out.println("first");
        System.in.read();
        add(1000, 3000);
        System.out.println("second");
        System.in.read();
    }
}
