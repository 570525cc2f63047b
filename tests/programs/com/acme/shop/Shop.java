package com.acme.shop;

import com.acme.record.Recorder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A leak: sessions are kept under keys that are never equal, so none is ever replaced. */
public final class Shop {
    static final Map<SessionKey, Session> sessions = new HashMap<>();

    static final class SessionKey { // lacks equals() and hashCode()
        final String user;

        SessionKey(String user) {
            this.user = user;
        }
    }

    static final class Session {
        final List<Item> cart = new ArrayList<>();
        final byte[] token = new byte[48];
    }

    static final class Item {
        final String article;
        final int count;

        Item(String article, int count) {
            this.article = article;
            this.count = count;
        }
    }

    static void visit(String user, int article) {
        Session session = new Session();
        session.cart.add(new Item("article " + article, 1));
        session.cart.add(new Item("article " + (article + 1), 2));
        sessions.put(new SessionKey(user), session);
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        for (int step = 0; recorder.goesOn(step, 16); step++) {
            for (int i = 0; i < 350; i++) visit("user " + i % 20, i);
            recorder.step();
        }
    }
}
