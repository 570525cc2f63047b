package com.acme.cache;

import com.acme.record.Recorder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Healthy: a cache with a bound fills up, and stays. */
public final class Catalog {
    static final int MOST = 3000;
    private final Map<Integer, Product> cache = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Product> eldest) {
            return size() > MOST;
        }
    };

    static final class Product {
        final String title;
        final byte[] picture = new byte[120];

        Product(int number) {
            title = "product " + number;
        }
    }

    Product find(int number) {
        return cache.computeIfAbsent(number, Product::new);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        Catalog catalog = new Catalog();
        Random random = new Random(1);
        for (int step = 0; recorder.goesOn(step, 18); step++) {
            for (int i = 0; i < 450; i++) catalog.find(random.nextInt(100000));
            recorder.step();
        }
    }
}
