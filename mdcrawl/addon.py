"""The add-on that turns mdcrawl's settings into Scrapy's where one decides the other."""

from __future__ import annotations

import logging

from scrapy.settings import Settings

from mdcrawl.configuration import CacheMode, Configuration

logger = logging.getLogger(__name__)


class MdcrawlAddon:
    """Put the contact into the User-Agent and the limits onto downloads, unless they are set."""

    def update_settings(self, settings: Settings) -> None:
        """Set what depends on MDCRAWL_ settings."""
        configuration = Configuration.from_settings(settings)
        settings.set("USER_AGENT", configuration.user_agent, priority="addon")
        settings.set("DOWNLOAD_MAXSIZE", configuration.max_bytes, priority="addon")
        settings.set("DOWNLOAD_WARNSIZE", 0, priority="addon")
        settings.set("DOWNLOAD_TIMEOUT", configuration.response_timeout_s, priority="addon")
        settings.set("HTTPCACHE_ENABLED", configuration.cache is not CacheMode.DISABLED, priority="addon")
        settings.set("HTTPCACHE_POLICY", "mdcrawl.middlewares.cache.CachePolicy", priority="addon")
        settings.set("HTTPCACHE_STORAGE", "mdcrawl.middlewares.cache.CacheStorage", priority="addon")
        if configuration.frontier:
            from mdcrawl.shared.gate import GateMiddleware  # noqa: PLC0415  only where it is wanted

            settings.set("SCHEDULER", "mdcrawl.shared.scheduler.SharedScheduler", priority="project")
            settings.set("DOWNLOADER", "mdcrawl.shared.gate.SharedDownloader", priority="addon")
            # Inside of the cache, whose answers ask nobody; outside of Throttle, which then knows the site's pace.
            settings.set_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", GateMiddleware, 935)
        if not configuration.contact:
            logger.warning(
                "No contact set: sites cannot tell whom to write to. "
                "Set one with -s MDCRAWL_CONTACT=https://your.example/bot"
            )
