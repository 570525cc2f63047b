package memcity.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Changes classes so that their methods say when they are entered and left. The agent's native side calls it, from any thread that
 * loads a class; lies in a class loader of its own, which the program does not see.
 */
final class Instrumenter {
    /** The newest class files that were tried (Java 25), and the newest that the ASM library reads. */
    private static final int NEWEST_VERSION = 69;
    private static final int NEWEST_READ = 64;
    private static final int FIRST_WITH_FRAMES = 50;
    private static final int MOST_NAMED = 3;

    private static final Registry registry = new Registry();
    private static volatile boolean isCounting;
    private static volatile boolean hasTrivial;

    // what was left out, since the last start
    private static int methodCount;
    private static int trivialCount;
    private static int oddCount;
    private static int unreadCount;
    private static final StringBuilder unreadNames = new StringBuilder();

    private Instrumenter() {}

    /** A class of the jar as bytes, for the classes that are defined in java.lang. */
    static byte[] read(String name) throws IOException {
        try (InputStream in = Instrumenter.class.getClassLoader().getResourceAsStream(name)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] part = new byte[4096];
            for (int size = in.read(part); size > 0; size = in.read(part)) {
                bytes.write(part, 0, size);
            }
            return bytes.toByteArray();
        }
    }

    /** Before classes come. Also loads all that is needed, so that nothing of it has to be while a class is loaded. */
    static synchronized void start(boolean counting, boolean trivial) throws IOException {
        isCounting = counting;
        hasTrivial = trivial;
        transform(null, "memcity/agent/Instrumenter", read("memcity/agent/Instrumenter.class"));
        transform(null, "nothing", new byte[0]);
        describe();
        methodCount = trivialCount = oddCount = unreadCount = 0;
        unreadNames.setLength(0);
    }

    static boolean hasChanged(Class<?> type) {
        return registry.has(type);
    }

    static Class<?> findClass(int method) {
        return registry.findClass(method);
    }

    static int findMethod(int sibling, String method) {
        return registry.find(sibling, method);
    }

    /** What a user should know of what is measured and what is not. */
    static synchronized String describe() {
        StringBuilder text = new StringBuilder();
        text.append(methodCount).append(" methods are ").append(isCounting ? "counted" : "timed");
        if (trivialCount > 0) {
            text.append("; ").append(trivialCount).append(" trivial ones (no loop, fewer than ")
                .append(Shape.TRIVIAL_INSTRUCTIONS).append(" instructions) are left out, their time counts for their callers");
        }
        if (oddCount > 0) {
            text.append("; ").append(oddCount).append(" constructors of unusual shape are left out");
        }
        if (unreadCount > 0) {
            text.append("; ").append(unreadCount).append(" classes could not be read and are left out: ").append(unreadNames);
        }
        return text.toString();
    }

    /** The changed class; null if it stays as it is. `name` with slashes. Throws nothing. */
    static byte[] transform(ClassLoader loader, String name, byte[] bytes) {
        try {
            return change(loader, name, bytes);
        } catch (Throwable e) { // the program goes on with the class as it was
            addUnread(name, e);
            return null;
        }
    }

    private static synchronized void addUnread(String name, Throwable reason) {
        if (++unreadCount <= MOST_NAMED) {
            unreadNames.append(unreadCount == 1 ? "" : ", ").append(name.replace('/', '.'))
                .append(" (").append(reason.getMessage() == null ? reason.getClass().getName() : reason.getMessage()).append(')');
        } else if (unreadCount == MOST_NAMED + 1) {
            unreadNames.append(", …");
        }
    }

    private static byte[] change(ClassLoader loader, String name, byte[] bytes) {
        int version = (bytes[6] & 0xff) << 8 | bytes[7] & 0xff;
        if (version > NEWEST_VERSION) {
            throw new IllegalArgumentException("class file version " + version);
        }
        byte[] readable = bytes;
        if (version > NEWEST_READ) { // up to the newest that was tried, nothing in it that matters here is new
            readable = bytes.clone();
            readable[6] = 0;
            readable[7] = NEWEST_READ;
        }
        ClassReader reader = new ClassReader(readable);
        Map<String, Shape> shapes = findShapes(reader);
        choose(shapes);
        if (shapes.isEmpty()) {
            return null;
        }
        List<String> methods = new ArrayList<String>(shapes.keySet());
        int[] numbers = registry.number(loader, name.replace('/', '.'), methods);
        byte[] changed = write(reader, shapes, methods, numbers, version >= FIRST_WITH_FRAMES);
        System.arraycopy(bytes, 4, changed, 4, 4); // the version that it had
        synchronized (Instrumenter.class) {
            methodCount += methods.size();
        }
        return changed;
    }

    /** Of each method that has code, by "name(parameters)result". */
    private static Map<String, Shape> findShapes(ClassReader reader) {
        final Map<String, Shape> shapes = new LinkedHashMap<String, Shape>();
        reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String generic, String[] thrown) {
                if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
                    return null;
                }
                Shape shape = new Shape(method);
                shapes.put(method + descriptor, shape);
                return shape;
            }
        }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return shapes;
    }

    /** Leaves those that are to be instrumented. */
    private static void choose(Map<String, Shape> shapes) {
        int trivial = 0;
        int odd = 0;
        for (Iterator<Shape> at = shapes.values().iterator(); at.hasNext();) {
            Shape shape = at.next();
            if (!hasTrivial && shape.isTrivial()) {
                trivial++;
            } else if (!isCounting && !shape.canBeInstrumented()) {
                odd++;
            } else {
                continue;
            }
            at.remove();
        }
        synchronized (Instrumenter.class) {
            trivialCount += trivial;
            oddCount += odd;
        }
    }

    private static byte[] write(ClassReader reader, final Map<String, Shape> shapes, final List<String> methods, final int[] numbers,
            final boolean hasFrames) {
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            private int next;

            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String generic, String[] thrown) {
                MethodVisitor visitor = super.visitMethod(access, method, descriptor, generic, thrown);
                if (next == methods.size() || !methods.get(next).equals(method + descriptor)) {
                    return visitor;
                }
                int number = numbers[next++];
                return number == 0 ? visitor
                    : isCounting ? new CountedMethod(visitor, number)
                    : new TimedMethod(visitor, number, shapes.get(method + descriptor), hasFrames);
            }
        }, ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }
}
