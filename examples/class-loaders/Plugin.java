/** Has a table, and saves it when the host ends. */
public class Plugin implements Runnable, AutoCloseable {
    static final int[] TABLE = new int[2000];

    public Plugin() {
        Host.atShutdown.add(this);
    }

    @Override
    public void run() {
        System.out.println("saved a table of " + TABLE.length);
    }

    @Override
    public void close() {
        run();
    }
}
