package com.acme.mill;

import java.util.Random;

/**
 * A mill whose behaviour is known: of each 10 ms it grinds 7, which allocates nothing that stays, keeps for 2 and
 * packs for 1, on average: rounds are of changing lengths, or samples at equal distances would meet one of the three
 * for seconds. Three quarters of what stays alive is what {@link Store#keep} has allocated. Where others have the
 * processor meanwhile, shares of time differ: it says what that of keeping was.
 */
public final class Mill {
    private static Object last;
    /** A tenth of a round. */
    static long unit;

    /** Allocates much that dies, and takes 7 ms of 10. */
    static void grind() {
        long end = System.nanoTime() + 7 * unit;
        while (System.nanoTime() < end)
            last = new int[256];
    }

    public static void main(String[] arguments) {
        Store store = new Store();
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 400;
        long begin = System.nanoTime(), keeping = 0;
        Random random = new Random(7);
        for (int i = 0; i < rounds; i++) {
            unit = i % 2 == 0 ? 250_000 + random.nextInt(1_500_000) : 2_000_000 - unit; // 20 ms in two rounds
            grind();
            long before = System.nanoTime();
            store.keep();
            keeping += System.nanoTime() - before;
            store.pack();
            if (i % 50 == 49) System.gc();
        }
        System.gc();
        System.out.println("kept " + store.getBytes() + " packed " + store.getPackedBytes());
        System.out.println("keeping took " + (double) keeping / (System.nanoTime() - begin));
    }
}
