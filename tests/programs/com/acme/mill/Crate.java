package com.acme.mill;

/** What the mill fills, and never empties: a copy of its flour. */
final class Crate {
    final byte[] flour;

    Crate(byte[] flour) {
        this.flour = flour;
    }
}
