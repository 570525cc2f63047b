import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Transfers money in a pool of threads. Each thread notes what its transfer does, and writes the notes when it ends. */
public class Bank {
    record Note(String what, long time) {}

    static final ThreadLocal<List<Note>> NOTES = ThreadLocal.withInitial(ArrayList::new);
    static volatile int written;

    static void note(String what) {
        NOTES.get().add(new Note(what, System.nanoTime()));
    }

    static void write(List<Note> notes) {
        written += notes.get(notes.size() - 1).what().length();
    }

    static void transfer(int number) {
        note("transfer " + number + " begins");
        note("transfer " + number + " is booked");
        write(NOTES.get());
    }

    public static void main(String[] args) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        for (int i = 0;; i++) {
            int number = i;
            pool.execute(() -> transfer(number));
            if (i % 3 == 0) Thread.sleep(1);
        }
    }
}
