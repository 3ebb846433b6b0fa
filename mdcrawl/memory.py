"""How full memory is, and how much of a crawl goes on meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

# After so many halvings one page at a time is left of any usual concurrency.
MAX_LEVEL = 6
# Where version 2 of control groups and the memory controller of version 1 are mounted.
_GROUPS = Path("sys/fs/cgroup")
_GROUPS_1 = _GROUPS / "memory"


@dataclass(frozen=True, slots=True)
class MemoryOptions:
    """Shares of memory in use, 0 to 1: above which a crawl shrinks, below which it recovers, above which it stops."""

    shrink: float = 0.85
    recover: float = 0.75
    stop: float = 0.95


@dataclass(frozen=True, slots=True)
class Reading:
    """Memory in use of what there is, in bytes, and whose it is: the machine's or a control group's."""

    used: int
    total: int
    whose: str

    @property
    def share(self) -> float:
        """The part in use, 0 to 1."""
        return self.used / self.total if self.total else 0.0

    def __str__(self) -> str:
        return f"{self.share:.0%} of the {self.whose}'s {self.total / 2**20:.0f} MB of memory in use"


def next_level(level: int, share: float, options: MemoryOptions) -> int:
    """Return how often a crawl is halved from now on: once more above one threshold, once less below another.

    >>> next_level(0, 0.9, MemoryOptions()), next_level(1, 0.8, MemoryOptions()), next_level(1, 0.7, MemoryOptions())
    (1, 1, 0)
    """
    if share > options.shrink:
        return min(level + 1, MAX_LEVEL)
    return max(level - 1, 0) if share < options.recover else level


def allowed(full: int, level: int) -> int:
    """Return what is left of a number of pages or processes at a level, at least one.

    >>> allowed(16, 0), allowed(16, 2), allowed(2, 5)
    (16, 4, 1)
    """
    return max(full >> level, 1)


def fullest(root: Path = Path("/")) -> Reading | None:
    """Return the fullest of the machine's memory and that of every control group around this process.

    `root` holds proc and sys. None where the system tells neither (it is not Linux).
    """
    readings = [*_machine(root), *_groups(root), *_groups_1(root)]
    return max(readings, key=lambda reading: reading.share, default=None)


def _machine(root: Path) -> list[Reading]:
    fields = _fields(root / "proc/meminfo")
    total, available = fields.get("MemTotal", 0), fields.get("MemAvailable")
    return [] if not total or available is None else [Reading((total - available) * 1024, total * 1024, "machine")]


def _groups(root: Path) -> list[Reading]:
    """Return the readings of version 2: this process's group and all above it (memory.max, memory.current)."""
    readings = []
    for folder in _folders(root, _GROUPS, controller=""):
        total, used = _number(folder / "memory.max"), _number(folder / "memory.current")
        if total is not None and used is not None:
            # Files that were read and may be dropped at any time count as used there, not here.
            spare = _fields(folder / "memory.stat").get("inactive_file", 0)
            readings.append(Reading(max(used - spare, 0), total, "container"))
    return readings


def _groups_1(root: Path) -> list[Reading]:
    """Return the readings of version 1; no limit is a number larger than any machine."""
    readings = []
    for folder in _folders(root, _GROUPS_1, controller="memory"):
        total, used = _number(folder / "memory.limit_in_bytes"), _number(folder / "memory.usage_in_bytes")
        if total is not None and used is not None and total < 2**60:
            spare = _fields(folder / "memory.stat").get("total_inactive_file", 0)
            readings.append(Reading(max(used - spare, 0), total, "container"))
    return readings


def _folders(root: Path, mount: Path, *, controller: str) -> list[Path]:
    """Return the folders of the group of this process and of those around it, the innermost first.

    A line of /proc/self/cgroup is number:controllers:path; version 2 names no controller. In a container the
    path may be the host's, and its group stands at the mount itself.
    """
    for line in _lines(root / "proc/self/cgroup"):
        _, controllers, path = (*line.split(":", 2), "", "")[:3]
        if controller in controllers.split(","):
            inner = Path(path.lstrip("/"))
            return [root / mount / folder for folder in dict.fromkeys((inner, *inner.parents))]
    return []


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _number(file: Path) -> int | None:
    """Return the number in a file; None if there is none ("max") or no file."""
    lines = _lines(file)
    return int(lines[0]) if lines and lines[0].strip().isdigit() else None


def _fields(file: Path) -> dict[str, int]:
    """Return the numbers of lines such as `name 123` or `Name: 123 kB`."""
    words = (line.split() for line in _lines(file))
    return {each[0].rstrip(":"): int(each[1]) for each in words if len(each) > 1 and each[1].isdigit()}
