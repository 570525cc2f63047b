import java.net.URL;
import java.net.URLClassLoader;

/** A class loader that waits for a lock, and whoever holds the lock allocates: as with the JDK's own loaders of a class path. */
public class Locked {
    static final Object lock = new Object();
    static volatile boolean isHeld;

    static class Loader extends URLClassLoader {
        Loader(URL folder) {
            super(new URL[] {folder}, null);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!isHeld) return super.loadClass(name, resolve);
            synchronized (lock) {
                return super.loadClass(name, resolve);
            }
        }
    }

    /** Allocates in a class of that loader, so that what its callbacks look up goes there. */
    public static class Worker implements Runnable {
        public volatile Object last;

        @Override
        public void run() {
            for (;;) last = new byte[1000];
        }
    }

    static Object last;

    public static void main(String[] arguments) throws Exception {
        URL folder = Locked.class.getProtectionDomain().getCodeSource().getLocation();
        Class<?> worker = new Loader(folder).loadClass("Locked$Worker");
        Thread thread = new Thread((Runnable) worker.getConstructor().newInstance(), "worker");
        thread.setDaemon(true);
        isHeld = true;
        synchronized (lock) {
            thread.start();
            Thread.sleep(1000); // the worker has allocated
            for (int i = 0; i < 100; i++) last = new byte[100_000];
        }
        System.out.println("went on");
    }
}
