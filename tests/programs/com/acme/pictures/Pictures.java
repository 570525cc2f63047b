package com.acme.pictures;

import com.acme.record.Recorder;
import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Healthy: a cache of soft references, which fills and would go if memory were short. */
public final class Pictures {
    static final int MOST = 400;
    private static final Map<Integer, SoftReference<Picture>> CACHE = new HashMap<>();

    static final class Picture {
        final byte[] pixels = new byte[4000];
    }

    static Picture find(int number) {
        SoftReference<Picture> known = CACHE.get(number);
        Picture picture = known == null ? null : known.get();
        if (picture == null) CACHE.put(number, new SoftReference<>(picture = new Picture()));
        return picture;
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 18);
        Random random = new Random(4);
        long sum = 0;
        while (recorder.next())
            for (int i = 0; i < 250; i++) sum += find(random.nextInt(MOST)).pixels.length;
        System.out.println(sum);
    }
}
