package com.acme.uploads;

import com.acme.record.Recorder;
import java.io.File;

/** A leak: files that the JVM is to delete in the end are remembered until then, even those long gone. */
public final class Uploads {
    static void upload(int number) {
        new File("/nowhere/com.acme.uploads/upload-" + number + "-of-a-user.tmp").deleteOnExit();
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        int number = 0;
        while (recorder.next())
            for (int i = 0; i < 700; i++) upload(number++);
        Runtime.getRuntime().halt(0);
    }
}
