"""A sum of evidence that remembers what it was made of."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Score:
    """Points for and against one reading of a page, with the evidence that the reason names."""

    points: int = 0
    evidence: list[str] = field(default_factory=list)

    def add(self, points: int, evidence: str = "") -> None:
        """Add points, which may be negative; evidence "" is weighed and not named."""
        self.points += points
        if evidence and points > 0:
            self.evidence.append(evidence)

    def says(self, at_most: int = 3) -> str:
        """Return the first pieces of evidence as one phrase."""
        return ", ".join(dict.fromkeys(self.evidence[:at_most]))
