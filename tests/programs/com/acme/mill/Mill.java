package com.acme.mill;

/**
 * A mill whose behaviour is known: of each 10 ms it grinds 7, which allocates nothing that stays, keeps for 2 and
 * packs for 1; three quarters of what stays alive is what {@link Store#keep} has allocated. Where others have the
 * processor meanwhile, shares of time differ: it says what that of keeping was.
 */
public final class Mill {
    private static Object last;

    /** Allocates much that dies, and takes 7 ms of 10. */
    static void grind() {
        long end = System.nanoTime() + 7_000_000;
        while (System.nanoTime() < end)
            last = new int[256];
    }

    public static void main(String[] arguments) {
        Store store = new Store();
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 400;
        long begin = System.nanoTime(), keeping = 0;
        for (int i = 0; i < rounds; i++) {
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
