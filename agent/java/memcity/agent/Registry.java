package memcity.agent;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers of instrumented methods, from 1. They stay what they are when a class is instrumented again. A class is known by its
 * name and loader, as there is none yet when it is instrumented; its loader is not kept alive.
 */
final class Registry {
    /** A class, as it is known before there is one. */
    private static final class Key {
        final WeakReference<ClassLoader> loader;
        final String name;
        private final int hash;

        Key(ClassLoader loader, String name) {
            this.loader = new WeakReference<ClassLoader>(loader);
            this.name = name;
            hash = 31 * System.identityHashCode(loader) + name.hashCode();
        }

        @Override
        public int hashCode() {
            return hash;
        }

        /** One whose loader is gone is equal to itself alone, or to one of the boot loader, which has the same hash by chance only. */
        @Override
        public boolean equals(Object other) {
            return this == other
                || other instanceof Key && hash == ((Key) other).hash && name.equals(((Key) other).name)
                    && loader.get() == ((Key) other).loader.get();
        }
    }

    private static final class Entry {
        final Key key;
        final Map<String, Integer> numbers = new HashMap<String, Integer>();

        Entry(Key key) {
            this.key = key;
        }
    }

    private final Map<Key, Entry> classes = new HashMap<Key, Entry>();
    private final List<Entry> classOfMethod = new ArrayList<Entry>();

    /** The number of each method ("name(parameters)result") of a class; 0 where there are too many. */
    synchronized int[] number(ClassLoader loader, String className, List<String> methods) {
        Key key = new Key(loader, className);
        Entry entry = classes.get(key);
        if (entry == null) {
            entry = new Entry(key);
            classes.put(key, entry);
        }
        int[] numbers = new int[methods.size()];
        for (int i = 0; i < numbers.length; i++) {
            Integer known = entry.numbers.get(methods.get(i));
            if (known != null) {
                numbers[i] = known;
            } else if (classOfMethod.size() < MemcityMethods.MAX_METHODS) {
                classOfMethod.add(entry);
                numbers[i] = classOfMethod.size();
                entry.numbers.put(methods.get(i), numbers[i]);
            }
        }
        return numbers;
    }

    /** Whether the class was ever instrumented. */
    synchronized boolean has(Class<?> type) {
        return classes.containsKey(new Key(type.getClassLoader(), type.getName()));
    }

    /** The class of a method that has run; null if it is gone. */
    Class<?> findClass(int method) {
        Key key;
        synchronized (this) {
            key = classOfMethod.get(method - 1).key;
        }
        try {
            return Class.forName(key.name, false, key.loader.get());
        } catch (Throwable e) {
            return null;
        }
    }

    /** The number of a method of the class that method `sibling` is in; 0 if it has none. */
    synchronized int find(int sibling, String method) {
        Integer number = classOfMethod.get(sibling - 1).numbers.get(method);
        return number == null ? 0 : number;
    }
}
