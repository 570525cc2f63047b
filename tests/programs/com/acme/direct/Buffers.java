package com.acme.direct;

import com.acme.record.Recorder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A leak: buffers outside of the heap are never given back to the pool's free ones. */
public final class Buffers {
    private static final List<ByteBuffer> TAKEN = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        while (recorder.next())
            for (int i = 0; i < 500; i++) TAKEN.add(ByteBuffer.allocateDirect(8));
    }
}
