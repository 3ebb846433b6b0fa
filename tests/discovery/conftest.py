"""How long the properties of this room are searched for a counterexample."""

import os

from hypothesis import settings

# No deadline: CI machines are shared. A longer search, outside of CI: FUZZ_EXAMPLES=20000 pytest tests/discovery
settings.register_profile("discovery", deadline=None, max_examples=int(os.environ.get("FUZZ_EXAMPLES", "100")))
settings.load_profile("discovery")
