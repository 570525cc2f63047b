import java.util.HashMap;
import java.util.Map;

/** Converts prices and caches the rates; there are six. */
public class Prices {
    static final String[] CURRENCIES = {"EUR", "USD", "JPY"};

    static class Pair {
        final String from, to;

        Pair(String from, String to) {
            this.from = from;
            this.to = to;
        }
    }

    static class Rate {
        final double factor;
        final double[] lastDays = new double[30];

        Rate(double factor) {
            this.factor = factor;
        }
    }

    static final Map<Pair, Rate> RATES = new HashMap<>();

    static Rate lookUp(Pair pair) {
        return new Rate(1 + Math.floorMod((pair.from + pair.to).hashCode(), 100) / 100.0);
    }

    static double convert(double price, String from, String to) {
        return price * RATES.computeIfAbsent(new Pair(from, to), Prices::lookUp).factor;
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0;; i++) {
            convert(i, CURRENCIES[i % 3], CURRENCIES[(i + 1 + i / 3 % 2) % 3]);
            if (i % 10 == 0) Thread.sleep(1);
        }
    }
}
