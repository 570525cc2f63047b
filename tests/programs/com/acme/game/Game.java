package com.acme.game;

import com.acme.game.draw.Painter;
import com.acme.game.world.World;

/**
 * A game that is started again and again, as its player loses a lot. Each start makes a world, whose creatures live in a thread of
 * their own; nobody ends the worlds before. The heap shows little of it; that more and more threads are in World.run() all of the
 * time, a city of methods does. "fixed" as an argument ends them.
 */
public final class Game {
    private final Painter painter = new Painter();
    private final boolean endsWorlds;
    private World world;

    private Game(boolean endsWorlds) {
        this.endsWorlds = endsWorlds;
    }

    private void restart(int number) {
        if (world != null && endsWorlds) {
            world.end();
        }
        world = new World(number);
        Thread thread = new Thread(world, "world " + number);
        thread.setDaemon(true);
        thread.start();
    }

    private void play(long ms) throws InterruptedException {
        for (long end = System.currentTimeMillis() + ms; System.currentTimeMillis() < end;) {
            painter.paint(world);
            Thread.sleep(15);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Game game = new Game(arguments.length > 0 && arguments[0].equals("fixed"));
        for (int i = 1; i <= 16; i++) {
            game.restart(i);
            game.play(100);
        }
        game.play(3000);
    }
}
