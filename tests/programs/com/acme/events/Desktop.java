package com.acme.events;

import com.acme.record.Recorder;
import java.util.ArrayList;
import java.util.List;

/** A leak: views that were closed stay listeners of the bus. */
public final class Desktop {
    interface Listener {
        void changed(String what);
    }

    static final class EventBus {
        private final List<Listener> listeners = new ArrayList<>();

        void register(Listener listener) {
            listeners.add(listener);
        }
    }

    static final class View {
        final byte[] pixels = new byte[600];
        String shown = "nothing";

        void open(EventBus bus) {
            bus.register(new Listener() {
                @Override
                public void changed(String what) {
                    shown = what;
                }
            });
        }
    }

    private final EventBus bus = new EventBus();
    private View front;

    void show() {
        front = new View();
        front.open(bus);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        Desktop desktop = new Desktop();
        for (int step = 0; recorder.goesOn(step, 16); step++) {
            for (int i = 0; i < 120; i++) desktop.show();
            recorder.step();
        }
        desktop.show();
    }
}
