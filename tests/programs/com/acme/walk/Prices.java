package com.acme.walk;

import com.acme.record.Recorder;
import java.util.ArrayDeque;
import java.util.Random;

/** Healthy: orders come and go by chance, and never is anything kept that is done. */
public final class Prices {
    private final ArrayDeque<Order> open = new ArrayDeque<>();

    static final class Order {
        final String stock;
        final long[] limits = new long[12];

        Order(int stock) {
            this.stock = "stock " + stock;
        }
    }

    void trade(int change) {
        int wanted = Math.max(2000, open.size() + change);
        while (open.size() < wanted) open.add(new Order(open.size()));
        while (open.size() > wanted) open.poll();
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 20);
        Prices prices = new Prices();
        Random random = new Random(11);
        prices.trade(4000);
        while (recorder.next()) prices.trade(random.nextInt(801) - 400);
    }
}
