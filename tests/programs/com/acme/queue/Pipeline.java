package com.acme.queue;

import com.acme.record.Recorder;
import java.util.concurrent.LinkedBlockingQueue;

/** A leak: the queue has no bound and is filled faster than it is emptied. */
public final class Pipeline {
    private final LinkedBlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
    private long done;

    static final class Job {
        final byte[] content;
        final long id;

        Job(long id) {
            this.id = id;
            content = new byte[100 + (int) (id % 50)];
        }
    }

    void produce(long id) {
        jobs.add(new Job(id));
        if (id % 3 != 0) return;
        Job job = jobs.poll();
        if (job != null) done += job.id;
    }

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(arguments);
        Pipeline pipeline = new Pipeline();
        long id = 0;
        for (int step = 0; recorder.goesOn(step, 16); step++) {
            for (int i = 0; i < 500; i++) pipeline.produce(id++);
            recorder.step();
        }
        System.out.println(pipeline.done);
    }
}
