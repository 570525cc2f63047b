package com.acme.mill;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Keeps what it is given: {@link #keep} is the leak. */
final class Store {
    static final int SACK = 48 << 10, CRATE = 16 << 10;
    private final List<byte[]> sacks = new ArrayList<>();
    private final List<Crate> crates = new ArrayList<>();
    private final byte[] flour = new byte[CRATE];

    /** Allocates 48 KiB that stay, and takes 2 ms of 10. */
    void keep() {
        long end = System.nanoTime() + 2 * Mill.unit;
        sacks.add(new byte[SACK]);
        while (System.nanoTime() < end)
            continue;
    }

    /** Allocates 16 KiB that stay, by way of the JDK, and takes 1 ms of 10. */
    void pack() {
        long end = System.nanoTime() + Mill.unit;
        crates.add(new Crate(Arrays.copyOf(flour, CRATE)));
        while (System.nanoTime() < end)
            continue;
    }

    long getBytes() {
        return (long) sacks.size() * SACK;
    }

    long getPackedBytes() {
        return (long) crates.size() * CRATE;
    }
}
