package com.acme.game.world;

/** Runs from whoever is closest. */
public final class Creature {
    private double x;
    private double y;

    Creature(int seed) {
        x = seed % 97;
        y = seed % 89;
    }

    void move(Creature[] others) {
        Creature closest = null;
        double least = Double.MAX_VALUE;
        for (Creature other : others) {
            double distance = Math.hypot(other.x - x, other.y - y);
            if (other != this && distance < least) {
                least = distance;
                closest = other;
            }
        }
        if (closest != null) {
            x = (x + (x < closest.x ? 99.5 : 0.5)) % 100;
            y = (y + (y < closest.y ? 99.5 : 0.5)) % 100;
        }
    }

    public double x() {
        return x;
    }

    public double y() {
        return y;
    }
}
