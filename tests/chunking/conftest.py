"""The properties of this folder try as many examples as the profile says."""

from __future__ import annotations

import os

from hypothesis import settings

settings.load_profile("ci" if os.environ.get("CI") else "desk")
