import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A small heap with one of everything, for the tests of heap dumps. */
public final class HeapExample {
    static class Base {
        int number;
        byte small;
    }

    static class Middle extends Base {
        long wide;
        boolean flag;
        Object other;
    }

    static class Last extends Middle {
        short narrow;
        Object self = this;
        char letter;
        double real;
    }

    static final Map<String, Object> kept = new ConcurrentHashMap<>();
    static final long WIDE = 1;
    static Object last;

    public static void main(String[] arguments) throws Exception {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            Middle middle = new Middle();
            middle.other = i % 3 == 0 ? middle : last;
            last = new Last();
            list.add(middle);
            list.add(last);
            list.add(new int[i % 9][]);
            list.add(new String[] {"text", "text" + i});
            kept.put("key" + i, i % 2 == 0 ? list : new Base());
        }
        Map<Object, Object> map = new HashMap<>();
        map.put(new byte[3_000_000], new Object[200_000]);
        Runnable hidden = () -> System.out.println(list.size() + map.size());
        kept.put("hidden", hidden);
        System.out.println("ready " + ProcessHandle.current().pid());
        while (System.in.read() >= 0) {
            // until the test is done
        }
        hidden.run();
    }
}
