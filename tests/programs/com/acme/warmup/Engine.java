package com.acme.warmup;

import com.acme.record.Recorder;
import java.text.NumberFormat;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Healthy: tables and classes are filled as they are first needed, ever fewer as time goes on. */
public final class Engine {
    static final int WORDS = 5000;
    private final Map<Integer, Word> words = new HashMap<>();
    private final Map<Integer, Pattern> patterns = new HashMap<>();

    static final class Word {
        final String text;
        final int[] forms = new int[12];

        Word(int number) {
            text = "word " + number;
        }
    }

    Word look(int number) {
        return words.computeIfAbsent(number, Word::new);
    }

    // Each uses another part of the library for the first time.
    String use(int step) {
        switch (step) {
            case 1: return LocalDate.of(2020, 1, 1).format(DateTimeFormatter.ISO_DATE);
            case 2: return NumberFormat.getInstance(Locale.GERMANY).format(1234.5);
            case 3: return String.valueOf(IntStream.range(0, 100).filter(i -> i % 3 == 0).sum());
            case 4: return String.format("%08.3f %s", 3.14159, Locale.FRANCE);
            case 6: return patterns.computeIfAbsent(step, i -> Pattern.compile("a+(b|c)*")).pattern();
            default: return "";
        }
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        Engine engine = new Engine();
        Random random = new Random(2);
        int length = 0;
        for (int step = 0; recorder.goesOn(step, 18); step++) {
            for (int i = 0; i < 1500; i++) engine.look(random.nextInt(WORDS));
            length += engine.use(step).length();
            recorder.step();
        }
        System.out.println(length);
    }
}
