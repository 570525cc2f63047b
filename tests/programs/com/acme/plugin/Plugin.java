package com.acme.plugin;

import java.util.HashMap;
import java.util.Map;

/** What com.acme.redeploy loads anew in a class loader of its own each time. */
public final class Plugin implements Runnable {
    static final Map<String, Route> ROUTES = new HashMap<>();

    enum Method { GET, PUT, POST, DELETE }

    static final class Route {
        final Method method;
        final Handler handler;

        Route(Method method, Handler handler) {
            this.method = method;
            this.handler = handler;
        }
    }

    interface Handler {
        String answer(Request request);
    }

    static final class Request {
        final String path;

        Request(String path) {
            this.path = path;
        }
    }

    static final class Pages implements Handler {
        @Override
        public String answer(Request request) {
            return "page of " + request.path;
        }
    }

    static final class Files implements Handler {
        @Override
        public String answer(Request request) {
            return "file of " + request.path;
        }
    }

    @Override
    public void run() {
        for (int i = 0; i < 20; i++)
            ROUTES.put("/" + i, new Route(Method.values()[i % 4], i % 2 == 0 ? new Pages() : new Files()));
        ROUTES.get("/1").handler.answer(new Request("/1"));
    }
}
