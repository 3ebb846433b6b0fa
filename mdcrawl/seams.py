"""What stands at a seam instead of the usual part: a function or a class of the user's, named by its dotted path.

A component crosses into worker processes as its path and its options, and is made there once.
"""

from __future__ import annotations

import inspect
import json
import pkgutil
from dataclasses import dataclass
from functools import lru_cache
from typing import Self


@dataclass(frozen=True, slots=True)
class Component:
    """The dotted path of a function or class, and the keyword arguments of the class as JSON."""

    path: str
    options: str = "{}"

    @classmethod
    def of(cls, path: str, **options: object) -> Self:
        """Return the component of a path and plain options."""
        return cls(path, json.dumps(options, sort_keys=True))


@lru_cache(maxsize=64)
def make(component: Component) -> object:
    """Return the function, or an instance of the class, that a component names; once in each process.

    Raises what importing and calling it raises, and TypeError for options that nobody takes.
    """
    found: object = pkgutil.resolve_name(component.path)
    options = json.loads(component.options)
    if isinstance(found, type):
        made: object = found(**options)
        return made
    if options:
        raise TypeError(f"takes no options, since it is no class: {', '.join(options)}")
    return found


def misfit(made: object, seam: type) -> str:
    """Return why an object cannot stand at a seam, a Protocol with `__call__`; "" if it can.

    >>> class Counter: # a seam
    ...     def __call__(self, text: str) -> int: ...
    >>> misfit(len, Counter), misfit(3, Counter)
    ('', 'cannot be called with (text)')
    """
    wanted = list(inspect.signature(seam.__call__).parameters)[1:]
    says = f"cannot be called with ({', '.join(wanted)})"
    if not callable(made):
        return says
    try:
        inspect.signature(made).bind(*wanted)
    except TypeError:
        return says
    except ValueError:  # a function written in C may not tell
        return ""
    return ""
