package com.acme.daemon;

import com.acme.record.Recorder;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A leak: a daemon that compiles remembers each task, which holds all that the compiler made. */
public final class Daemon {
    static final class Build {
        final JavaCompiler.CompilationTask task;
        final boolean succeeded;

        Build(JavaCompiler.CompilationTask task, boolean succeeded) {
            this.task = task;
            this.succeeded = succeeded;
        }
    }

    static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoresErrors) {
            return text;
        }
    }

    static final List<Build> builds = new ArrayList<>();

    static void build(JavaCompiler compiler, String folder) {
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < 3; i++)
            sources.add(
                new Source("Part" + i, "class Part" + i + " { int size() { return " + i + "; } }"));
        List<String> options = List.of("-proc:none", "-d", folder);
        JavaCompiler.CompilationTask task =
            compiler.getTask(null, null, null, options, null, sources);
        builds.add(new Build(task, task.call()));
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        for (int i = 0; i < 3; i++) build(compiler, arguments[0]);
        builds.clear();
        for (int step = 0; step < 8; step++) {
            build(compiler, arguments[0]);
            recorder.step();
        }
    }
}
