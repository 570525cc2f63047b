package com.acme.game.world;

/** Creatures that move about until somebody ends their world. */
public final class World implements Runnable {
    private final Creature[] creatures = new Creature[40];
    private volatile boolean isAlive = true;

    public World(int seed) {
        for (int i = 0; i < creatures.length; i++) {
            creatures[i] = new Creature(seed * 31 + i);
        }
    }

    @Override
    public void run() {
        while (isAlive) {
            for (Creature creature : creatures) {
                creature.move(creatures);
            }
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public Creature[] creatures() {
        return creatures;
    }

    public void end() {
        isAlive = false;
    }
}
