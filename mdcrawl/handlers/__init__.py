"""Download handlers: how bytes are got, plainly or by a browser."""
