package com.acme.record;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Records the program that it runs in: a heap dump of what is alive, as often as it is told. */
public final class Recorder {
    private static final HotSpotDiagnosticMXBean DIAGNOSTICS =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    private final Path folder;
    private int count;

    /** The first argument is the folder for the dumps. */
    public Recorder(String[] arguments) throws IOException {
        folder = Files.createDirectories(Path.of(arguments[0]));
    }

    public void step() throws IOException {
        String name = "step-" + (100 + count++) + ".hprof";
        DIAGNOSTICS.dumpHeap(folder.resolve(name).toString(), true);
    }
}
