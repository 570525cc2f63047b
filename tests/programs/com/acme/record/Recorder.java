package com.acme.record;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Records the program that it runs in, step by step, as its first argument says: a folder takes a heap dump of what is
 * alive each time (and, where it has a folder "histograms", a class histogram, too); "wait" lets time pass for an agent
 * that looks from outside, and leaves garbage behind, as programs do, "wait:6" until the whole heap has been collected six
 * times, too; "fill" goes on until memory runs out.
 */
public final class Recorder {
    private static final HotSpotDiagnosticMXBean DIAGNOSTICS =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    private static final int WAIT_MS = 60;
    private static final int WAITS_MOST = 1000;
    private static final long LOOK_NS = 300_000_000L;
    private final long begun = System.nanoTime();
    private final Path folder;
    private final boolean isFilling;
    private final boolean isWaiting;
    private final int collections;
    private final int steps;
    private boolean isBegun;
    private int count;
    private long passed;

    public Recorder(String[] arguments) throws IOException {
        this(arguments, 0);
    }

    /** With so many steps next() ends. */
    public Recorder(String[] arguments, int steps) throws IOException {
        this.steps = steps;
        isFilling = arguments[0].equals("fill");
        isWaiting = arguments[0].startsWith("wait");
        collections = arguments[0].startsWith("wait:") ? Integer.parseInt(arguments[0].substring(5)) : 0;
        folder = isFilling || isWaiting ? null : Files.createDirectories(Path.of(arguments[0]));
    }

    /** Whether there is more to do: while (recorder.next()) work(); records after each time. */
    public boolean next() throws IOException, JMException, InterruptedException {
        if (isBegun) step();
        isBegun = true;
        return goesOn(count, steps);
    }

    /** The same for a loop that counts its steps, and calls step() itself. */
    public boolean goesOn(int step, int steps) {
        if (isWaiting) return step < 2 * steps || (step < WAITS_MOST && !isSeen());
        return isFilling || step < steps;
    }

    /** A program that collects by itself leaves an agent that looks now and then as much time. */
    private boolean isSeen() {
        return countCollections() >= collections && System.nanoTime() - begun >= collections * LOOK_NS;
    }

    /** Of the whole heap. */
    private static long countCollections() {
        long count = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans())
            if (collector.getName().matches(".*(MarkSweep|Old).*")) count += collector.getCollectionCount();
        return count;
    }

    public void step() throws IOException, JMException, InterruptedException {
        int step = 100 + count++;
        if (isFilling) return;
        if (isWaiting) {
            for (int i = 0; i < 2000; i++) passed += new byte[512 + i % 64].length;
            Thread.sleep(WAIT_MS);
            return;
        }
        DIAGNOSTICS.dumpHeap(folder.resolve("step-" + step + ".hprof").toString(), true);
        Path histograms = folder.resolve("histograms");
        if (!Files.isDirectory(histograms)) return;
        Object text = ManagementFactory.getPlatformMBeanServer().invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
            new Object[] {new String[0]}, new String[] {String[].class.getName()});
        Files.writeString(histograms.resolve(step + ".txt"), (String) text);
    }
}
