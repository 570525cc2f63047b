import java.io.File;
import java.util.Comparator;
import java.util.List;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.JavaClass;

/**
 * What each class retains, by VisualVM's heap library, with the time that each part took.
 *
 * <p>Usage: java -cp .:HEAP_LIBRARY.jar RetainedByClass DUMP
 */
public final class RetainedByClass {
    private static long begin;

    private static void tell(String what) {
        long now = System.nanoTime();
        System.out.printf("%-32s %8.1f s%n", what, (now - begin) / 1e9);
        begin = now;
    }

    public static void main(String[] arguments) throws Exception {
        begin = System.nanoTime();
        Heap heap = HeapFactory.createHeap(new File(arguments[0]));
        tell("open");
        List<JavaClass> classes = heap.getAllClasses();
        long instances = 0;
        for (JavaClass one : classes) instances += one.getInstancesCount();
        tell("count " + instances + " objects");
        classes.get(0).getRetainedSizeByClass(); // finds those of all
        tell("what every class retains");
        classes.stream()
                .sorted(Comparator.comparingLong(JavaClass::getRetainedSizeByClass).reversed())
                .limit(5)
                .forEach(one -> System.out.println(one.getRetainedSizeByClass() + " " + one.getName()));
    }
}
