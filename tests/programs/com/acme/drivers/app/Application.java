package com.acme.drivers.app;

import java.sql.DriverManager;
import java.sql.SQLException;

/** What com.acme.drivers deploys, in a class loader of its own each time. */
public final class Application implements Runnable {
    static final byte[][] PAGES = new byte[8][];

    @Override
    public void run() {
        for (int i = 0; i < PAGES.length; i++) PAGES[i] = new byte[3000];
        try {
            DriverManager.registerDriver(new AcmeDriver());
        } catch (SQLException exception) {
            throw new IllegalStateException(exception);
        }
    }
}
