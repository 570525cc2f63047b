package com.acme.jdbc;

import com.acme.record.Recorder;
import java.util.ArrayList;
import java.util.List;

/** A leak: statements are not closed, so each of the pool's connections keeps its own with their rows. */
public final class Statements {
    static final class ConnectionPool {
        final List<JdbcConnection> connections = new ArrayList<>();

        ConnectionPool(int count) {
            for (int i = 0; i < count; i++) connections.add(new JdbcConnection());
        }
    }

    static final class JdbcConnection {
        final List<JdbcStatement> openStatements = new ArrayList<>();

        JdbcStatement prepare(String query) {
            JdbcStatement statement = new JdbcStatement(query);
            openStatements.add(statement);
            return statement;
        }
    }

    static final class JdbcStatement {
        final String query;
        final Object[][] rows = new Object[4][];

        JdbcStatement(String query) {
            this.query = query;
        }

        void execute(int number) {
            for (int i = 0; i < rows.length; i++) rows[i] = new Object[] {number, "row " + i};
        }
    }

    private static final ConnectionPool POOL = new ConnectionPool(5);

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        int number = 0;
        while (recorder.next())
            for (int i = 0; i < 300; i++) {
                JdbcConnection connection = POOL.connections.get(number % 5);
                connection.prepare("select * from orders where id = " + number).execute(++number);
            }
    }
}
