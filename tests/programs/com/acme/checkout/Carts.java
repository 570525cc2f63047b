package com.acme.checkout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps every session until there is no memory left: a single dump has to tell. */
public class Carts {
    static final Map<String, Session> sessions = new HashMap<>();

    static class Item {
        final String name;

        Item(String name) {
            this.name = name;
        }
    }

    static class Cart {
        final List<Item> items = new ArrayList<>();
    }

    static class Session {
        final Cart cart = new Cart();
    }

    public static void main(String[] arguments) {
        for (int count = 0;; count++) {
            Session session = new Session();
            for (int item = 0; item < 5; item++) {
                session.cart.items.add(new Item("item " + count + ", " + item));
            }
            sessions.put("session " + count, session);
        }
    }
}
