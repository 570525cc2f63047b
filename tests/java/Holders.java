import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Objects that are held in all the ways there are, for the tests of why they are alive. */
public class Holders {
    static class Value {
        Object next;
        byte[] content = new byte[24];
    }

    static final class InStatic extends Value {}
    static final class InMap extends Value {}
    static final class InList extends Value {}
    static final class InSet extends Value {}
    static final class OnStack extends Value {}
    static final class InThreadLocal extends Value {}
    static final class Weakly extends Value {}
    static final class Softly extends Value {}
    static final class Shared extends Value {}
    static final class Chained extends Value {}

    static final class InLocal extends Value {}
    static final class OnVirtualStack extends Value {}

    static final class Finalized extends Value {
        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {}
    }

    /** Its finalizer waits, and those of all others for it. */
    static final class Stuck extends Value {
        Stuck() {
            next = new Pending();
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            while (goesOn) LockSupport.park();
        }
    }

    static final class Pending extends Value {}

    static final InStatic one = new InStatic();
    static final Map<String, Object> cache = new HashMap<>();
    static final Map<Integer, Object> concurrent = new ConcurrentHashMap<>();
    static final List<Object> list = new ArrayList<>();
    static final Set<Object> set = new HashSet<>();
    static final List<Object> linked = new LinkedList<>();
    static final Map<Object, Object> empty = new HashMap<>();
    static final ThreadLocal<Object> local = new ThreadLocal<>();
    static final List<Object> references = new ArrayList<>();
    static final Object[] alone = new Object[100];
    static Chained chain;
    static final List<CharSequence> builders = new ArrayList<>();
    static ClassLoader loader;

    static void hold(Thread ready, Object held) throws Exception {
        synchronized (held) {
            ready.start();
            Thread.sleep(3600000);
        }
        System.out.println(held);
    }

    static void fill() throws Exception {
        for (int i = 0; i < 300; i++) {
            cache.put("key" + i, new InMap());
            concurrent.put(i + 1000, new InMap());
            list.add(new InList());
            set.add(new InSet());
            linked.add(new InList());
            Chained before = chain;
            chain = new Chained();
            chain.next = before;
        }
        for (int i = 0; i < 20; i++) {
            builders.add(new StringBuilder(100 + i).append("short"));
            builders.add(new StringBuffer(50).append("wide \u20ac").append(i));
        }
        Shared shared = new Shared();
        for (int i = 0; i < 10; i++) {
            ((Value) list.get(i)).next = shared;
            cache.put("list" + i, new ArrayList<>());
            cache.put("deque" + i, new ArrayDeque<>(List.of(i)));
            cache.put("text" + i, new String("the same".getBytes(), "UTF-8"));
        }
        cache.put("linked", new LinkedHashMap<>(cache));
        cache.put("tree", new TreeMap<>(Map.of("a", new InMap())));
        alone[3] = new InList();
        references.add(new WeakReference<>(new Weakly()));
        references.add(new SoftReference<>(new Softly()));
        references.add(new PhantomReference<>(new Weakly(), new ReferenceQueue<>()));
        references.add(new Finalized());
        loader = new URLClassLoader("plugins", new URL[] {new URL("file:/nowhere/")}, null);
    }

    /** A virtual thread that waits, and one that is mounted, where the JVM has such. */
    static void startVirtual() throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return;
        }
        for (boolean waits : new boolean[] {true, false}) {
            Thread thread = (Thread) start.invoke(null, (Runnable) () -> holdVirtually(new OnVirtualStack(), waits));
            thread.setName(waits ? "virtual that waits" : "virtual that runs");
        }
        held.await();
    }

    /** A list that only a local variable holds, in two methods, and one that variables of two threads hold. */
    static void keepLists() throws Exception {
        List<Object> kept = new ArrayList<>(List.of(new InLocal()));
        List<Object> passed = new LinkedList<>(List.of(new InLocal()));
        handed = passed;
        Thread other = new Thread(() -> {
            List<Object> taken = handed;
            handed = null;
            waitWith(taken);
        });
        other.setDaemon(true);
        other.start();
        waitWith(kept);
        System.out.println(kept.size() + passed.size());
    }

    static volatile List<Object> handed;
    static final CountDownLatch kept = new CountDownLatch(2);

    static void waitWith(List<Object> kept) {
        Holders.kept.countDown();
        while (goesOn) LockSupport.park();
        System.out.println(kept);
    }

    static final CountDownLatch held = new CountDownLatch(2);
    static volatile boolean goesOn = true;

    static void holdVirtually(Object value, boolean waits) {
        held.countDown();
        while (goesOn) {
            if (waits) LockSupport.park();
        }
        System.out.println(value);
    }

    public static void main(String[] arguments) throws Exception {
        fill();
        startVirtual();
        new Finalized();
        for (int i = 0; i < 20; i++) new Stuck();
        Thread holder = new Thread(() -> {
            local.set(new InThreadLocal());
            Thread ready = new Thread(() -> {
                System.out.println("ready " + ProcessHandle.current().pid());
            }, "ready");
            try {
                hold(ready, new OnStack());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, "the holder \u00e4");
        Thread keeper = new Thread(() -> {
            try {
                keepLists();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        keeper.setDaemon(true);
        keeper.start();
        kept.await();
        holder.setDaemon(true);
        holder.start();
        while (System.in.read() >= 0) {
            // until the test is done
        }
    }
}
