#!/usr/bin/env python3
"""A Java program of many allocation sites whose live bytes are known, and how far estimates of them are off.

usage: known_sites.py write FOLDER SITES BYTES     (Known.java: about so many bytes are alive of each site)
       known_sites.py check VIEWER SITES BYTES     (VIEWER: what viewer.py printed; prints coverage and errors)

Objects of a site have one size, from 24 to 20,000 bytes; of every second site twice as many are allocated as live on. The
coverage is how many sites of a hundred have their true bytes within the error that memcity shows of the estimate.
"""
import math
import pathlib
import statistics
import sys

SIZES = (24, 40, 104, 520, 1040, 4000, 20000)


def get_site(index, size_wanted):
    size = SIZES[index % len(SIZES)]
    return size, max(1, round(size_wanted * (1 + index % 5) / 3 / size)), 1 + index % 2


def write(folder, sites, size_wanted):
    lines = ["import java.util.*;", "public class Known {",
             "    static final List<byte[][]> kept = new ArrayList<>();"]
    for i in range(sites):
        lines.append(f"    static byte[] site{i}(int size) {{ return new byte[size]; }}")
    lines += ["    static byte[] make(int site, int size) {", "        switch (site) {"]
    lines += [f"            case {i}: return site{i}(size);" for i in range(sites)]
    lines += ["            default: return null;", "        }", "    }",
              "    static void fill(int site, int size, int count, int rounds) {",
              "        for (int round = 0; round < rounds; round++) {", "            byte[][] all = new byte[count][];",
              "            for (int i = 0; i < count; i++) all[i] = make(site, size - 16);",
              "            if (round == 0) kept.add(all);", "        }", "    }",
              "    public static void main(String[] arguments) throws Exception {",
              "        // a thread chooses samples from its next allocation buffer on: this uses up the first",
              "        for (int i = 0; i < 200; i++) kept.add(new byte[][] {new byte[100_000]});", "        kept.clear();"]
    for i in range(sites):
        lines.append("        fill({}, {}, {}, {});".format(i, *get_site(i, size_wanted)))
    lines += ["        System.gc();", "        Thread.sleep(200);", "        System.gc();", "        Thread.sleep(200);",
              "    }", "}"]
    pathlib.Path(folder, "Known.java").write_text("\n".join(lines) + "\n")


def check(path, sites, size_wanted):
    found = {}
    for line in open(path):
        words = line.split()
        if words[0] == "alloc" and words[1].startswith("Known.site"):
            found[words[1].split(":")[0]] = int(words[3]), float(words[4])
    covered, errors, sums = 0, [], [0, 0]
    for i in range(sites):
        size, count, _ = get_site(i, size_wanted)
        true = (size + 7) // 8 * 8 * count
        estimate, variance = found.get(f"Known.site{i}", (0, 0))
        one_more = (variance / estimate) ** 2 if estimate else 0
        covered += abs(estimate - true) <= 1.96 * math.sqrt(variance + one_more) + 1
        errors.append(abs(estimate - true) / true)
        sums[0] += estimate
        sums[1] += true
    print(f"coverage {100 * covered / sites:.1f} median-error {100 * statistics.median(errors):.1f} "
          f"worst-error {100 * max(errors):.1f} sum-error {100 * abs(sums[0] / sums[1] - 1):.2f}")


def main():
    act = {"write": write, "check": check}[sys.argv[1]]
    act(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))


main()
