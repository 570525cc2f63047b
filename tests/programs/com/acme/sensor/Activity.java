package com.acme.sensor;

import com.acme.record.Recorder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A leak: an anonymous listener holds the screen that made it, and the service holds the listener. */
public final class Activity {
    interface SensorListener {
        void changed(float value);
    }

    static final class SensorService {
        static final SensorService SERVICE = new SensorService();
        final List<SensorListener> listeners = new CopyOnWriteArrayList<>();
    }

    static final class Bitmap {
        final int[] pixels = new int[1200];
    }

    final Bitmap background = new Bitmap();
    float shown;

    void create() {
        SensorService.SERVICE.listeners.add(new SensorListener() {
            @Override
            public void changed(float value) {
                shown = value;
            }
        });
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        while (recorder.next())
            for (int i = 0; i < 30; i++) new Activity().create();
    }
}
