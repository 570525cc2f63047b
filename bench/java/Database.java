import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;

/** Two threads that write to and ask an H2 database in memory, each its own. */
public final class Database {
    private static void work(int number, int rounds) {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:bench" + number);
                Statement statement = connection.createStatement()) {
            statement.execute("create table item (id int primary key, name varchar(40), price int)");
            try (PreparedStatement insert = connection.prepareStatement("insert into item values (?, ?, ?)");
                    PreparedStatement query =
                        connection.prepareStatement("select count(*), sum(price) from item where id between ? and ?")) {
                long sum = 0;
                for (int i = 0; i < rounds; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, "item " + i);
                    insert.setInt(3, i % 97);
                    insert.execute();
                    query.setInt(1, Math.max(0, i - 20));
                    query.setInt(2, i);
                    try (ResultSet rows = query.executeQuery()) {
                        rows.next();
                        sum += rows.getLong(2);
                    }
                }
                System.out.println(sum);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> work(number, rounds));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
