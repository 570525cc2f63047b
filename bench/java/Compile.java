import java.util.Arrays;
import java.util.spi.ToolProvider;

/** javac as a library: compiles the same sources several times, as a daemon does. */
public final class Compile {
    public static void main(String[] arguments) {
        ToolProvider javac = ToolProvider.findFirst("javac").get();
        String[] line = new String[arguments.length];
        line[0] = "-d";
        line[1] = arguments[0];
        System.arraycopy(arguments, 2, line, 2, arguments.length - 2);
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            int code = javac.run(System.out, System.err, line);
            if (code != 0) {
                throw new IllegalStateException(Arrays.toString(line));
            }
        }
    }
}
