package com.acme.travel;

import com.acme.record.Recorder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A leak: what was searched for is cached for good. Beside it are collections that stay as they are. */
public final class Journeys {
    static final class Location {
        final String name;
        final Date created = new Date();

        Location(String name) {
            this.name = name;
        }
    }

    static final class JourneyService {
        private final Map<String, List<Location>> locationCache = new ConcurrentHashMap<>();

        List<Location> findLocations(String text) {
            return locationCache.computeIfAbsent(text, key -> {
                List<Location> found = new ArrayList<>();
                for (int i = 0; i < 20; i++) found.add(new Location(text));
                return found;
            });
        }
    }

    static final class Booking {
        final Date[] days = {new Date(), new Date()};
        final Map<String, Object> details = new HashMap<>(Map.of("seat", "none"));
    }

    private static final JourneyService service = new JourneyService();
    private static final ArrayDeque<Booking> bookings = new ArrayDeque<>();
    private static final Map<Integer, Booking> byNumber = Collections.synchronizedMap(new HashMap<>());
    private static Object looking; // where a search is at, as it is when the heap is dumped

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        for (int i = 0; i < 500; i++) byNumber.put(i, new Booking());
        for (int step = 0; recorder.goesOn(step, 8); step++) {
            for (int i = 0; i < 60; i++) service.findLocations("from " + step + " to " + i);
            for (int i = 0; i < 50; i++) bookings.add(new Booking());
            while (bookings.size() > 50) bookings.poll();
            Iterator<List<Location>> search = service.locationCache.values().iterator();
            if (step % 2 == 1) search.next();
            looking = step % 2 == 1 ? search : null;
            recorder.step();
        }
        System.out.println(looking);
    }
}
