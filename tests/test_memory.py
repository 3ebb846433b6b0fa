"""The memory guard's rule, and what it reads of /proc and /sys."""

from __future__ import annotations

import pytest

from mdcrawl.memory import MAX_LEVEL, MemoryOptions, allowed, fullest, next_level

OPTIONS = MemoryOptions(shrink=0.8, recover=0.6, stop=0.9)
MB = 2**20


def write(root, files):
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def machine(total_mb, available_mb):
    return {"proc/meminfo": f"MemTotal: {total_mb * 1024} kB\nMemFree: 1 kB\nMemAvailable: {available_mb * 1024} kB\n"}


def group(folder, max_mb, current_mb):
    return {f"{folder}/memory.max": f"{max_mb * MB}\n", f"{folder}/memory.current": f"{current_mb * MB}\n"}


def test_pressure_that_stays_halves_again_and_again_and_relief_gives_back_step_by_step():
    shares = [0.5, 0.81, 0.81, 0.7, 0.81, 0.59, 0.7, 0.59, 0.59, 0.59]
    level, pages = 0, []
    for share in shares:
        level = next_level(level, share, OPTIONS)
        pages.append(allowed(16, level))
    assert pages == [16, 8, 4, 4, 2, 4, 4, 8, 16, 16]


def test_at_least_one_page_is_left():
    level = 0
    for _ in range(50):
        level = next_level(level, 1.0, OPTIONS)
    assert level == MAX_LEVEL
    assert allowed(16, level) == allowed(1, level) == 1


V2 = {"proc/self/cgroup": "0::/jobs/crawl\n"}
V1 = {"proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/docker/abc\n"}


@pytest.mark.parametrize(
    ("files", "share", "whose"),
    [
        pytest.param(machine(1000, 250), 0.75, "machine", id="machine"),
        pytest.param(
            machine(1000, 250) | V2 | group("sys/fs/cgroup/jobs/crawl", 100, 90),
            0.9,
            "container",
            id="version 2",
        ),
        pytest.param(
            machine(1000, 250) | V2 | group("sys/fs/cgroup", 100, 80),
            0.8,
            "container",
            id="version 2, the container's group is the mount",
        ),
        pytest.param(
            machine(1000, 250)
            | V2
            | {
                "sys/fs/cgroup/jobs/crawl/memory.max": "max\n",
                "sys/fs/cgroup/jobs/crawl/memory.current": f"{90 * MB}\n",
                **group("sys/fs/cgroup/jobs", 100, 95),
                "sys/fs/cgroup/jobs/memory.stat": f"anon 1\ninactive_file {10 * MB}\n",
            },
            0.85,
            "container",
            id="version 2, the limit is the group's above, files do not count",
        ),
        pytest.param(
            machine(1000, 250)
            | V1
            | {
                "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": f"{100 * MB}\n",
                "sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes": f"{95 * MB}\n",
                "sys/fs/cgroup/memory/docker/abc/memory.stat": f"total_inactive_file {5 * MB}\n",
            },
            0.9,
            "container",
            id="version 1",
        ),
        pytest.param(
            machine(1000, 250)
            | V1
            | {
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
                "sys/fs/cgroup/memory/memory.usage_in_bytes": "9223372036854771711\n",
            },
            0.75,
            "machine",
            id="version 1 without a limit",
        ),
        pytest.param(
            machine(1000, 100) | V2 | group("sys/fs/cgroup/jobs/crawl", 100, 10),
            0.9,
            "machine",
            id="the fuller of the two",
        ),
    ],
)
def test_the_fullest_memory_counts(tmp_path, files, share, whose):
    write(tmp_path, files)
    reading = fullest(tmp_path)
    assert reading is not None
    assert (round(reading.share, 3), reading.whose) == (share, whose)


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({}, id="no such files"),
        pytest.param({"proc/meminfo": "no numbers here\n", "proc/self/cgroup": "odd\n"}, id="odd files"),
        pytest.param(V2 | {"sys/fs/cgroup/jobs/crawl/memory.max": "max"}, id="no limit"),
    ],
)
def test_nothing_to_read_is_no_reading(tmp_path, files):
    write(tmp_path, files)
    assert fullest(tmp_path) is None
