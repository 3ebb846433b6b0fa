"""How late an event loop comes back: what every other download waits for meanwhile."""

from __future__ import annotations

import asyncio
import time

TICK_S = 0.01


class LoopLag:
    """Ticks on the running loop from start() to figures()."""

    def start(self) -> None:
        """Begin to tick."""
        self._late_s: list[float] = []
        self._task = asyncio.get_running_loop().create_task(self._tick())

    async def _tick(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(TICK_S)
            self._late_s.append(time.perf_counter() - began - TICK_S)

    def figures(self) -> dict[str, float]:
        """Stop; return the 99th percentile and the longest of the delays, in ms."""
        self._task.cancel()
        late_s = sorted(self._late_s) or [0.0]
        return {"lag_p99_ms": late_s[int(0.99 * (len(late_s) - 1))] * 1000, "lag_max_ms": late_s[-1] * 1000}
