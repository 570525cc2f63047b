/** Nothing but calls of a tiny method: the worst there is for whoever times calls. */
public final class TinyCalls {
    private static int tiny(int x) {
        return x * 31 + 7;
    }

    public static void main(String[] arguments) {
        int sum = 0;
        for (int i = 0; i < Integer.parseInt(arguments[0]) * 1000000; i++) {
            sum = tiny(sum + i);
        }
        System.out.println(sum);
    }
}
