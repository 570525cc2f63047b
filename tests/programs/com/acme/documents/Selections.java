package com.acme.documents;

import com.acme.record.Recorder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A leak: a node that was selected once holds its document by the way up. */
public final class Selections {
    static final Deque<Node> selected = new ArrayDeque<>();

    static final class Document {
        final List<Node> nodes = new ArrayList<>();
        Node root;
    }

    static final class Node {
        final Document document;
        final Node parent;
        final String tag;

        Node(Document document, Node parent, String tag) {
            this.document = document;
            this.parent = parent;
            this.tag = tag;
            document.nodes.add(this);
        }
    }

    static Document parse(int number) {
        Document document = new Document();
        document.root = new Node(document, null, "html");
        Node above = document.root;
        for (int i = 0; i < 30; i++) {
            Node node = new Node(document, above, "div " + number);
            if (i % 3 == 0) above = node;
        }
        return document;
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments, 14);
        int number = 0;
        while (recorder.next())
            for (int i = 0; i < 50; i++) selected.add(parse(number++).nodes.get(17));
    }
}
