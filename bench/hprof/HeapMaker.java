import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/**
 * Fills a heap for measurements: orders in a list, each with items that share products, and a name.
 * An order is 7 objects with 11 references. Says "ready", and waits until its input ends.
 *
 * <p>Usage: java HeapMaker.java ORDERS
 */
public final class HeapMaker {
    static final class Product {
        long number;
        Object owner;
    }

    static final class Item {
        Product product;
        int amount;
    }

    static final class Order {
        Order next;
        Product first;
        Item[] items;
        String name;
        long time;
        int state;
    }

    static Order orders;

    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[0]);
        Random random = new Random(1);
        Product[] products = new Product[Math.max(1, count / 100)];
        for (int i = 0; i < products.length; i++) {
            products[i] = new Product();
            products[i].number = i;
            products[i].owner = products[random.nextInt(i + 1)];
        }
        byte[] text = new byte[92];
        Arrays.fill(text, (byte) 'x');
        for (int i = 0; i < count; i++) {
            Order order = new Order();
            order.items = new Item[3];
            for (int k = 0; k < 3; k++) {
                Item item = order.items[k] = new Item();
                item.product = products[random.nextInt(products.length)];
                item.amount = k;
            }
            order.first = order.items[0].product;
            order.name = new String(text, 0, 78 + i % 14, StandardCharsets.ISO_8859_1);
            order.time = i;
            order.next = orders;
            orders = order;
        }
        System.out.println("ready " + ProcessHandle.current().pid());
        while (System.in.read() >= 0) {
            // until whoever measures is done
        }
    }
}
