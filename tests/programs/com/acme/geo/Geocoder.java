package com.acme.geo;

import com.acme.record.Recorder;
import java.util.HashMap;
import java.util.Map;

/** A leak: a cache without a limit, in a service of which there is one. */
public final class Geocoder {
    private static final Geocoder INSTANCE = new Geocoder();
    private final Map<String, Place> cache = new HashMap<>();

    static final class Place {
        final double latitude;
        final double longitude;
        final String address;

        Place(int number) {
            latitude = number * 0.001;
            longitude = number * 0.002;
            address = number + " Main Street";
        }
    }

    Place locate(int number) {
        return cache.computeIfAbsent("query " + number, key -> new Place(number));
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        int number = 0;
        while (recorder.next())
            for (int i = 0; i < 600; i++) INSTANCE.locate(number++);
    }
}
