import java.util.ArrayDeque;
import java.util.Deque;

/** Reads a stream of orders and keeps the last 5,000 for the dashboard. */
public class Orders {
    static final int KEPT = 5000;

    record Order(String line) {
        String get(String field) {
            for (String part : line.split(";")) {
                if (part.startsWith(field + "=")) return part.substring(field.length() + 1);
            }
            return null;
        }
    }

    static final Deque<Order> latest = new ArrayDeque<>();

    static void read(String line) {
        if (latest.size() == KEPT) latest.removeFirst();
        latest.addLast(new Order(line));
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0;; i++) {
            read("number=" + i + ";customer=" + i % 1000 + ";article=" + i % 70 + ";price=" + i % 500);
            if (i >= KEPT && i % 10 == 0) Thread.sleep(1);
        }
    }
}
