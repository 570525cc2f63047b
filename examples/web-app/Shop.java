import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;

/** A web shop and its visitors. They put three articles into a cart and leave without logging out. */
public class Shop {
    static final long PATIENCE_MS = 300; // after which a visitor is gone

    record Item(String article, int price) {}

    static class Session {
        final String id = UUID.randomUUID().toString();
        final List<Item> cart = new ArrayList<>();
        long lastSeen = System.currentTimeMillis();
    }

    static final Map<String, Session> sessions = new HashMap<>();

    static synchronized Session sessionOf(HttpExchange exchange) {
        String cookie = exchange.getRequestHeaders().getFirst("Cookie");
        Session session = cookie == null ? null : sessions.get(cookie);
        if (session == null) {
            session = new Session();
            sessions.put(session.id, session);
        }
        session.lastSeen = System.currentTimeMillis();
        return session;
    }

    static void buy(HttpExchange exchange) throws IOException {
        Session session = sessionOf(exchange);
        session.cart.add(new Item(exchange.getRequestURI().getQuery(), 100));
        exchange.getResponseHeaders().add("Set-Cookie", session.id);
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    /** Sends one request and returns the cookie of the answer. */
    static String request(InetSocketAddress server, String path, String cookie) throws IOException {
        try (var socket = new Socket(server.getAddress(), server.getPort())) {
            socket.getOutputStream().write(("GET " + path + " HTTP/1.0\r\nCookie: " + cookie + "\r\n\r\n").getBytes());
            String answer = new String(socket.getInputStream().readAllBytes());
            int begin = answer.indexOf("cookie: ") + 8;
            return answer.substring(begin, answer.indexOf('\r', begin));
        }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/buy", Shop::buy);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.start();
        while (true) {
            String cookie = "";
            for (int i = 0; i < 3; i++) cookie = request(server.getAddress(), "/buy?article-" + i, cookie);
            Thread.sleep(2);
        }
    }
}
