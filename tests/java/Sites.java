import java.util.ArrayList;
import java.util.List;

/**
 * Allocates at known lines, in known threads: `Sites KEPT GONE`. Then it says "ready" and waits until its input ends.
 */
public class Sites {
    static final class Kept {
        final long number;

        Kept(long number) {
            this.number = number;
        }
    }

    static final class Gone {
        long number;
    }

    static final class Large {
        final byte[] bytes = new byte[10_000]; // line of bytes
    }

    static final List<Object> all = new ArrayList<>();
    static volatile Gone last;

    static void keep(int count) {
        for (int i = 0; i < count; i++) {
            Kept kept = new Kept(i); // line of kept
            synchronized (all) {
                all.add(kept);
            }
        }
    }

    static void waste(int count) {
        for (int i = 0; i < count; i++) {
            last = new Gone(); // line of gone
        }
        last = null;
    }

    static void recurse(int depth) {
        if (depth > 0) {
            recurse(depth - 1);
        } else {
            all.add(new Large()); // line of large
        }
    }

    public static void main(String[] arguments) throws Exception {
        int kept = Integer.parseInt(arguments[0]), gone = Integer.parseInt(arguments[1]);
        Thread worker = new Thread(() -> keep(kept / 2), "worker \u00e9");
        worker.start();
        worker.join();
        keep(kept - kept / 2);
        waste(gone);
        for (int i = 0; i < 20; i++) {
            recurse(30);
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {
            // until whoever runs this has seen enough
        }
    }
}
