package com.acme.redeploy;

import com.acme.record.Recorder;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** A leak: each redeployed plugin leaves a hook behind, which holds its class loader. */
public final class Container {
    static final List<Runnable> shutdownHooks = new ArrayList<>();

    static void deploy() throws Exception {
        URL[] classes = {Container.class.getProtectionDomain().getCodeSource().getLocation()};
        URLClassLoader loader = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader());
        Runnable plugin =
            (Runnable) loader.loadClass("com.acme.plugin.Plugin").getConstructor().newInstance();
        plugin.run();
        shutdownHooks.add(plugin);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        for (int step = 0; recorder.goesOn(step, 16); step++) {
            for (int i = 0; i < 3; i++) deploy();
            recorder.step();
        }
    }
}
