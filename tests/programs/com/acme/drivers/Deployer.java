package com.acme.drivers;

import com.acme.record.Recorder;
import java.net.URL;
import java.net.URLClassLoader;

/** A leak: an application that is deployed anew registers its driver for the whole JVM, and never takes it back. */
public final class Deployer {
    static void deploy() throws Exception {
        URL[] classes = {Deployer.class.getProtectionDomain().getCodeSource().getLocation()};
        URLClassLoader loader = new URLClassLoader("app", classes, ClassLoader.getPlatformClassLoader());
        Runnable application =
            (Runnable) loader.loadClass("com.acme.drivers.app.Application").getConstructor().newInstance();
        application.run();
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        while (recorder.next())
            for (int i = 0; i < 3; i++) deploy();
    }
}
