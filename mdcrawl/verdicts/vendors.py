"""Marks by which the bot checks of vendors are known."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vendor:
    """One vendor of bot checks.

    `check` matches the addresses, names and script starts of its interstitial, and must not match
    what it puts on every page that it guards. `header` is a header (lower case) whose value, when
    `header_value` matches it, says that this answer is a check. `guard` is a header that only says
    who guards the site; `guard_value` restricts its value. `loader` matches the script that the
    vendor puts on every page: on an empty page without any other script it is the check.
    """

    name: str
    check: re.Pattern[str] | None = None
    header: str = ""
    header_value: re.Pattern[str] = re.compile(r"")
    guard: str = ""
    guard_value: re.Pattern[str] = re.compile(r"")
    loader: re.Pattern[str] | None = None


def _of(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)


VENDORS = (
    Vendor(
        "Cloudflare",
        # Not "/cdn-cgi/challenge-platform/scripts/jsd/", which sound pages load.
        _of(
            r"/cdn-cgi/challenge-platform/[^\s\"']*orchestrate|_cf_chl_opt|\bcf[-_]chl|^challenge-(?:stage|form|running)"
            r"|cf-browser-verification|cf-please-wait|jschl[-_]|/cdn-cgi/l/chk_|^cf-error-details"
        ),
        "cf-mitigated",
        _of("challenge"),
        "server",
        _of("cloudflare"),
    ),
    Vendor(
        "Akamai",
        _of(r"/_sec/cp_challenge|sec-if-cpt|sec-cpt|bm-verify|scf-akamai|^behavioral-content|errors\.edgesuite\.net"),
        guard="server",
        guard_value=_of("akamaighost"),
        loader=_of(r"/akam/\d+/"),
    ),
    Vendor(
        "DataDome",
        _of(r"captcha-delivery\.|\bvar dd ?= ?\{|^dd-captcha|datadome-captcha"),
        guard="x-datadome",
        loader=_of(r"datadome\.co/|captcha-delivery"),
    ),
    Vendor(
        "Imperva",
        # Not "_Incapsula_Resource?SWJIYLWA=", the script on every page that it guards.
        _of(
            r"_Incapsula_Resource\?(?:CWUDNSAI|SWCGHOEL|SWKMTFSR)|incapsula_[^\s]*incident|[?&]incident_id=|distil_(?:r|identify)|distilidentification"
        ),
        guard="x-iinfo",
        loader=_of(r"_Incapsula_Resource"),
    ),
    Vendor(
        "HUMAN (PerimeterX)",
        # Not "/init.js" and "client.px-cloud.net", which sound pages load.
        _of(r"px-captcha|captcha\.px-c|/px/captcha|_pxcaptcha|window\._pxBlock"),
        loader=_of(r"client\.px-c|perimeterx\.net"),
    ),
    Vendor(
        "AWS WAF",
        _of(
            r"gokuProps|awsWafCookieDomainList|AwsWafIntegration\.|captcha\.awswaf|\.token\.awswaf\.com/\S*(?:challenge|captcha)"
        ),
        "x-amzn-waf-action",
        _of("challenge|captcha"),
    ),
    Vendor("Anubis", _of(r"anubis_(?:challenge|version|base|public)|/\.within\.website/x/")),
    Vendor("go-away", _of(r"/\.well-known/\.git\.gammaspectra\.live|__goaway_")),
    Vendor(
        "Sucuri",
        _of(r"sucuri_cloudproxy_js|cloudproxy_js|cdn\.sucuri\.net"),
        "x-sucuri-block",
        guard="x-sucuri-id",
    ),
    Vendor(
        "DDoS-Guard",
        _of(r"check\.ddos-guard\.net|/\.well-known/ddos-guard/|^ddg-|ddos-guard"),
        guard="server",
        guard_value=_of("ddos-guard"),
    ),
    Vendor(
        "Vercel",
        _of(r"/\.well-known/vercel/security"),
        "x-vercel-mitigated",
        _of("challenge|deny"),
    ),
    Vendor("Fastly", _of(r"/_fs-ch-")),
    Vendor(
        "Kasada",
        _of(r"\bKPSDK\b|/149e9513-01fa-4fb0-aad4-566afd725d1b/"),
        guard="x-kpsdk-ct",
    ),
    Vendor("F5", _of(r"/TSPD/|TSPD_101|\bbobcmn\b")),
    Vendor("Radware", _of(r"validate\.perfdrive\.com|captcha\.perfdrive\.com|shieldsquare")),
    Vendor("testcookie", _of(r"(?:^|/)aes(?:\.min)?\.js$|\btoNumbers\(|slowAES")),
    Vendor("Reblaze", _of(r"window\.rbzns|rbzreqid")),
    Vendor("SiteGround", _of(r"/\.well-known/(?:sg)?captcha/|sgcaptcha"), "sg-captcha", _of("challenge")),
    Vendor("Imunify360", _of(r"imunify360|wsidchk|z0f76a1d14fd21a8fb5fd0d03e0fdc3d3cedae52f")),
    Vendor("Wordfence", _of(r"wordfence[-_]?block|^wf-?block")),
    Vendor("Alibaba Cloud", _of(r"\bacw_sc__v\d|_____tmd_____|x5secdata|punish-component|/punish\?")),
    Vendor("Bunny Shield", _of(r"/\.bunny-shield/")),
    Vendor("Qrator", _of(r"/__qrator/|qrator\.net/\S*(?:js|check)")),
    Vendor("Yandex SmartCaptcha", _of(r"/(?:show|check)captcha|^checkboxcaptcha")),
    Vendor("Google", _of(r"/sorry/index|//www\.google\.[a-z.]+/sorry/")),
    Vendor("Amazon", _of(r"/errors/validateCaptcha|opfcaptcha\.amazon")),
)

# Widgets that also guard ordinary forms: they weigh little by themselves.
CAPTCHA_WIDGET = _of(
    r"g-recaptcha|recaptcha/(?:api|enterprise)|h-captcha|hcaptcha\.com|cf-turnstile|challenges\.cloudflare\.com/turnstile"
    r"|frc-captcha|friendly-?captcha|geetest|arkoselabs|funcaptcha|altcha|mtcaptcha|smartcaptcha|t(?:encent)?captcha"
    r"|procaptcha|cap-widget|slider-?captcha|(?:^|[-_])captcha(?:[-_]|$)"
)

# Platforms for consent. Their banner stands on sound pages too.
CONSENT_PLATFORM = re.compile(
    r"(?P<OneTrust>onetrust|cookielaw\.org|optanon)|(?P<Sourcepoint>sp_message|sp-prod\.net|privacy-mgmt\.com|sourcepoint)"
    r"|(?P<Usercentrics>usercentrics|^uc-)|(?P<Didomi>didomi)|(?P<Quantcast>quantcast|^qc-cmp)"
    r"|(?P<Cookiebot>cookiebot|cybot)|(?P<TrustArc>trustarc|truste)|(?P<Funding_Choices>fundingchoices|^fc-(?:consent|dialog))"
    r"|(?P<consentmanager>consentmanager|^cmpbox)|(?P<iubenda>iubenda)|(?P<Osano>osano)|(?P<Axeptio>axeptio)"
    r"|(?P<Complianz>cmplz)|(?P<Borlabs>borlabs)|(?P<CookieYes>cookieyes|^cky-)|(?P<Klaro>klaro)"
    r"|(?P<InMobi>inmobi|choice\.js)|(?P<Yahoo>guce\.)",
    re.IGNORECASE | re.MULTILINE,
)
