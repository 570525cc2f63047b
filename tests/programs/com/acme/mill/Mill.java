package com.acme.mill;

/**
 * A mill whose behaviour is known: of each 10 ms it grinds 7, which allocates nothing that stays, keeps for 2 and
 * packs for 1; three quarters of what stays alive is what {@link Store#keep} has allocated.
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
        for (int i = 0; i < rounds; i++) {
            grind();
            store.keep();
            store.pack();
            if (i % 50 == 49) System.gc();
        }
        System.gc();
        System.out.println("kept " + store.getBytes() + " packed " + store.getPackedBytes());
    }
}
