import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Runs a plugin and reloads it when it has changed, each time with a new class loader. */
public class Host {
    public static final List<Runnable> atShutdown = new ArrayList<>();

    /** Loads the plugin itself and leaves everything else to its parent. */
    static class PluginLoader extends ClassLoader {
        PluginLoader() {
            super(Host.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("Plugin")) return super.loadClass(name, resolve);
            try (InputStream in = getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        AutoCloseable plugin = null;
        while (true) {
            if (plugin != null) plugin.close();
            plugin = (AutoCloseable) new PluginLoader().loadClass("Plugin").getConstructor().newInstance();
            Thread.sleep(15);
        }
    }
}
