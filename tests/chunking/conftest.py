"""How many examples the chunking properties try: many in CI, few at the desk."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No deadline: the first example loads the vocabulary, and CI machines are shared.
settings.register_profile("ci", max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("desk", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "desk")
