from __future__ import annotations

import pytest

from mdcrawl.extraction.prepare.languages import language_name

PYTHON = "```python\nfor stone in wall:\n    lift(stone)\n```"

TITLED = PYTHON.replace("```python", '```python title="wall.py"')
BLOCKS = {
    "class on code": ('<pre><code class="language-python">for stone in wall:\n    lift(stone)\n</code></pre>', PYTHON),
    "alias on a wrapper": (
        (
            '<div class="highlight-py3 notranslate"><div class="highlight"><pre><span></span>for stone in wall:\n'
            "    lift(stone)\n</pre></div></div>"
        ),
        PYTHON,
    ),
    "data attribute": ('<pre data-language="py"><code>for stone in wall:\n    lift(stone)</code></pre>', PYTHON),
    "line spans without line ends": (
        (
            '<pre class="language-python"><code><span class="token-line">for stone in wall:</span>'
            '<span class="token-line">    lift(stone)</span></code></pre>'
        ),
        PYTHON,
    ),
    "line spans with line ends": (
        (
            '<pre class="python"><code><span class="line">for stone in wall:</span>\n'
            '<span class="line">    lift(stone)</span></code></pre>'
        ),
        PYTHON,
    ),
    "lines as divs": (
        (
            '<pre data-language="python"><code><div class="ec-line"><div class="code">for stone in wall:</div></div>'
            '<div class="ec-line"><div class="code">    lift(stone)</div></div></code></pre>'
        ),
        PYTHON,
    ),
    "breaks": ('<pre class="language-python">for stone in wall:<br>    lift(stone)</pre>', PYTHON),
    "a line of a diff ends in a line end and a break": (
        (
            '<pre class="language-python"><code><span class="token-line"><i>for stone in wall:\n</i><br></span>'
            '<span class="token-line"><i>    lift(stone)</i><br></span></code></pre>'
        ),
        PYTHON,
    ),
    "tokens of a diff that are named lines": (
        (
            '<pre class="language-diff"><code><div class="token-line"><span class="token unchanged line"></span>'
            '<span class="token prefix inserted">+</span><span class="token inserted line"> lay()</span><br></div>'
            '<div class="token-line"><span class="token line"></span><span class="token prefix deleted">-</span>'
            '<span class="token deleted line"> drop()</span><br></div></code></pre>'
        ),
        "```diff\n+ lay()\n- drop()\n```",
    ),
    "line-number table": (
        (
            '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code">'
            '<pre class="language-python">for stone in wall:\n    lift(stone)</pre></td></tr></table>'
        ),
        PYTHON,
    ),
    "line-number table under a file name": (
        (
            '<table class="highlighttable"><tr><th class="filename"><span>wall.py</span></th></tr><tr>'
            '<td class="linenos"><pre>1\n2</pre></td><td class="code"><pre class="language-python">for stone in wall:\n'
            "    lift(stone)</pre></td></tr></table>"
        ),
        TITLED,
    ),
    "title over the code": (
        (
            '<div class="box"><div class="codeBlockTitle_x1y2">wall.py</div><div class="content">'
            '<pre class="language-python">for stone in wall:\n    lift(stone)</pre></div></div>'
        ),
        TITLED,
    ),
    "title with a permalink, inside the box of the language": (
        (
            '<figure class="language-python"><figcaption class="code-block-caption"><span>wall.py</span>'
            '<a class="headerlink" href="#c">¶</a></figcaption><pre>for stone in wall:\n    lift(stone)</pre></figure>'
        ),
        TITLED,
    ),
    "title of a frame": (
        (
            '<figure class="frame"><figcaption class="header"><span class="title">wall.py</span>'
            '<span class="sr-only">Terminal window</span></figcaption><pre data-language="python"><code>'
            '<div class="ec-line"><div class="code">for stone in wall:</div></div>'
            '<div class="ec-line"><div class="code">    lift(stone)</div></div></code></pre></figure>'
        ),
        TITLED,
    ),
    "title that an info string cannot hold": (
        '<div><p class="filename">the "wall"</p><pre class="language-bash">lay</pre></div>',
        'the "wall"\n\n```bash\nlay\n```',
    ),
    "title over code of no language": (
        '<div><p class="filename">wall.txt</p><pre>lay</pre></div>',
        "wall.txt\n\n```\nlay\n```",
    ),
    "no language behind the prefix": ('<div class="language- wall-theme"><pre>lay</pre></div>', "```\nlay\n```"),
    "a row a line": (
        '<table class="hljs-ln"><tr><td>1</td><td>lay(1)</td></tr><tr><td>2</td><td>lay(2)</td></tr></table>',
        "```\nlay(1)\nlay(2)\n```",
    ),
    "copy button, gutter and permalink": (
        (
            '<pre><button>Copy</button><code class="language-sh"><span class="linenos">1</span>lay --all'
            '<a href="#l1">#</a></code></pre>'
        ),
        "```bash\nlay --all\n```",
    ),
    "label beside the code": (
        (
            '<div class="code-box"><div class="bar"><span>Python</span><button>Copy</button></div>'
            "<pre><code>for stone in wall:\n    lift(stone)</code></pre></div>"
        ),
        PYTHON,
    ),
    "label that the wrapper says too": (
        (
            '<div class="language-python"><span class="lang">python</span>'
            "<pre>for stone in wall:\n    lift(stone)</pre></div>"
        ),
        PYTHON,
    ),
    "file name beside the code stays": ("<div><p>wall.txt</p><pre>lay</pre></div>", "wall.txt\n\n```\nlay\n```"),
    "blank lines and tabs": ("<pre><code>a\n\n\n\tb  c\n</code></pre>", "```\na\n\n\n\tb  c\n```"),
    "backticks inside": ("<pre>```\nraw\n```</pre>", "````\n```\nraw\n```\n````"),
    "only a language word in prose": ("<p class='python'>Snakes.</p>", "Snakes."),
}


@pytest.mark.parametrize(("html", "expected"), BLOCKS.values(), ids=BLOCKS)
def test_code_block(convert, html, expected):
    assert convert(html) == expected


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("JS", "javascript"),
        ("sh", "bash"),
        ("yml", "yaml"),
        ("c++", "cpp"),
        ("c#", "csharp"),
        ("plaintext", ""),
        ("mylang", "mylang"),
        ("not a name", ""),
        ("", ""),
        ("123", ""),
    ],
)
def test_language_name(written, name):
    assert language_name(written) == name
