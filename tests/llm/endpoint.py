"""An endpoint that speaks OpenAI's chat API on loopback, answers as a test wants, and keeps what it was sent."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Asked:
    """One request: its path, the Authorization header and the body."""

    path: str
    authorization: str
    body: dict[str, Any]

    @property
    def system(self) -> str:
        return self.body["messages"][0]["content"]

    @property
    def page(self) -> str:
        return self.body["messages"][1]["content"]


@dataclass(frozen=True)
class Reply:
    """What is sent back: a status, an answer's text, after a wait; `raw` in place of a chat's JSON."""

    text: str = "{}"
    status: int = 200
    wait_s: float = 0
    raw: str = ""
    prompt_tokens: int = 100


class Endpoint:
    """A context manager; `answer` gives the reply to each request."""

    def __init__(self, answer: Callable[[Asked], Reply]) -> None:
        self.asked: list[Asked] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked = Asked(self.path, self.headers.get("Authorization", ""), body)
                endpoint.asked.append(asked)
                reply = answer(asked)
                time.sleep(reply.wait_s)
                message = {"role": "assistant", "content": reply.text}
                chat = {
                    "id": "1", "object": "chat.completion", "created": 1, "model": body["model"],
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": reply.prompt_tokens, "completion_tokens": 10, "total_tokens": 0},
                }  # fmt: skip
                data = (reply.raw or json.dumps(chat)).encode()
                try:
                    self.send_response(reply.status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(data)))
                    if reply.status == 429:
                        self.send_header("Retry-After", "0")
                    self.end_headers()
                    self.wfile.write(data)
                except ConnectionError:
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                """Stay quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def inside(asked: Asked) -> str:
    """Return the page's text between its marks, which the rules must name."""
    found = re.fullmatch(r"<(page-[0-9a-f]{16})>\n(.*)\n</\1>", asked.page, re.DOTALL)
    assert found, asked.page
    assert found[1] in asked.system
    return found[2]
