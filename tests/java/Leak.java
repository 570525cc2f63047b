import java.util.ArrayList;
import java.util.List;

/** Allocates, keeps a part of it, and ends after the given number of seconds. */
public class Leak {
    static final class Kept {
        Kept next;
        byte[] content;
    }

    static final List<Object> strings = new ArrayList<>();

    static void waste() {
        byte[][] garbage = new byte[50][];
        for (int k = 0; k < garbage.length; k++) garbage[k] = new byte[1000];
    }

    public static void main(String[] arguments) throws Exception {
        long end = System.currentTimeMillis() + Long.parseLong(arguments[0]) * 1000;
        Kept last = null;
        for (int i = 0; System.currentTimeMillis() < end; i++) {
            Kept kept = new Kept();
            kept.next = last;
            kept.content = new byte[64];
            last = kept;
            if (i % 100 == 0) strings.add("kept " + i);
            waste();
            if (i % 20 == 0) Thread.sleep(1);
        }
    }
}
