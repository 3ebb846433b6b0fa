"""The bundled site, loaded by its path as the demo loads it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def serve():
    path = Path(__file__).parents[2] / "fixtures" / "serve.py"
    spec = importlib.util.spec_from_file_location("bundled_site_server", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def site(serve):
    with serve.Site() as running:
        yield running
