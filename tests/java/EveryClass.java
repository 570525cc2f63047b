import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** An object of every class of the JDK's java packages that may have one, for the tests of what objects take. */
public final class EveryClass {
    // Padding in a superclass goes on in its subclasses, with fields of their own or without.
    static class Padded extends Thread {
        byte small;
    }

    static class Between extends Padded {}

    static class Last extends Between {
        short narrow;
        long wide;
    }

    record Point(int x, long y, Object other) {}

    static final List<Object> kept = new ArrayList<>();
    static int parked;

    public static void main(String[] arguments) throws Exception {
        Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        Method allocate = unsafe.getClass().getMethod("allocateInstance", Class.class);
        List<String> names = new ArrayList<>();
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
        for (String folder : new String[] {"java", "jdk/internal/misc", "jdk/internal/vm"}) {
            try (Stream<Path> paths = Files.walk(base.resolve(folder))) {
                paths.map(path -> base.relativize(path).toString()).filter(name -> name.endsWith(".class")).forEach(names::add);
            }
        }
        for (String name : names) {
            try {
                Class<?> type = Class.forName(name.substring(0, name.length() - 6).replace('/', '.'), false, null);
                // A thread that was never made, and a stack without frames, are more than a collector expects.
                if (Modifier.isAbstract(type.getModifiers()) || type == Class.class || Thread.class.isAssignableFrom(type)
                        || java.lang.ref.Reference.class.isAssignableFrom(type) || name.endsWith("vm/StackChunk.class"))
                    continue;
                kept.add(allocate.invoke(unsafe, type));
            } catch (Throwable unwilling) {
                continue;
            }
        }
        for (int i = 0; i < 20; i++) {
            kept.add(new Padded());
            kept.add(new Between());
            kept.add(new Last());
            kept.add(new Point(i, i, kept));
            int length = i;
            Runnable hidden = () -> kept.add(length);
            kept.add(hidden);
            kept.add("text " + i + kept.size());
            kept.add(new byte[i]);
            kept.add(new short[i]);
            kept.add(new long[i]);
            kept.add(new Object[i]);
        }
        kept.add(MethodHandles.lookup());
        ForkJoinPool.commonPool().submit(() -> kept.size()).get();
        startVirtualThreads();
        System.gc();
        System.out.println("ready " + ProcessHandle.current().pid());
        while (System.in.read() >= 0) {
            // until the test is done
        }
        Runtime.getRuntime().halt(0);
    }

    /** With stacks of different depths, where the JDK has them. */
    static void startVirtualThreads() throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException older) {
            return;
        }
        for (int i = 0; i < 40; i++) {
            int depth = i * 5;
            kept.add(start.invoke(null, (Runnable) () -> park(depth)));
        }
        while (parked < 40) Thread.sleep(10);
        Thread.sleep(200);
    }

    static long park(long depth) {
        if (depth > 0) return park(depth - 1) + depth;
        synchronized (EveryClass.class) {
            parked++;
        }
        for (;;) LockSupport.park();
    }
}
