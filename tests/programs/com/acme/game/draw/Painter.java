package com.acme.game.draw;

import com.acme.game.world.Creature;
import com.acme.game.world.World;

/** Paints a world into an array. */
public final class Painter {
    private final int[] pixels = new int[320 * 200];

    public void paint(World world) {
        clear();
        for (Creature creature : world.creatures()) {
            paintCreature(creature);
        }
    }

    private void clear() {
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = 0x102030;
        }
    }

    private void paintCreature(Creature creature) {
        int left = (int) (creature.x() * 3.1);
        int top = (int) (creature.y() * 1.9);
        for (int y = top; y < top + 8; y++) {
            for (int x = left; x < left + 8; x++) {
                pixels[y * 320 + x] ^= 0xff8800;
            }
        }
    }
}
