"""Page: the pieces of a self-contained HTML page: escaped text, tables, figures, the style sheet.

Whatever comes from a user or from data passes through `text`, so nothing of it can become markup. The page needs no
script and nothing from outside, and says so in its Content-Security-Policy. It is written as well-formed XML.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Cell", "document", "figure", "section", "share", "table", "text", "whole"]

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Cell:
    """A cell of a table: markup (already escaped), a class for its looks, and whether it heads its row."""

    markup: str
    look: str = ""
    head: bool = False


def text(value: object) -> str:
    """Return a value as text that is safe anywhere in the page; what XML can't hold becomes a replacement mark."""
    return html.escape(_NOT_XML.sub("\ufffd", str(value)), quote=True)


def whole(value: float | None) -> str:
    """Return a number rounded to whole, `–` for none."""
    return "–" if value is None else f"{value:,.0f}"


def share(value: float) -> str:
    """Return a share as per cent."""
    return f"{100 * value:.1f} %" if value else "0"


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]], *, foot: Iterable[Sequence[Cell]] = ()) -> str:
    """Return a table; the headings are plain text and stand left where the column below does."""
    body = list(rows)
    looks = [' class="left"' if "left" in cell.look.split() else "" for cell in (body[0] if body else ())]
    looks += [""] * (len(head) - len(looks))
    heads = "".join(f'<th scope="col"{look}>{text(name)}</th>' for name, look in zip(head, looks, strict=True))
    parts = [f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>', *map(_row, body), "</tbody>"]
    last = list(foot)
    if last:
        parts += ["<tfoot>", *map(_row, last), "</tfoot>"]
    return "".join([*parts, "</table></div>"])


def _row(cells: Sequence[Cell]) -> str:
    out: list[str] = []
    for cell in cells:
        look = f' class="{cell.look}"' if cell.look else ""
        out.append(f'<th scope="row"{look}>{cell.markup}</th>' if cell.head else f"<td{look}>{cell.markup}</td>")
    return f"<tr>{''.join(out)}</tr>"


def figure(markup: str, caption: str, *, look: str = "") -> str:
    """Return a figure; the caption is markup."""
    return f'<figure class="{look}">{markup}<figcaption>{caption}</figcaption></figure>'


def section(title: str, *parts: str, anchor: str = "") -> str:
    """Return a section with a heading (plain text)."""
    place = f' id="{anchor}"' if anchor else ""
    return f"<section{place}><h2>{text(title)}</h2>{''.join(parts)}</section>"


def document(title: str, *parts: str, colours: Sequence[str]) -> str:
    """Return the whole page; `colours` are those of the methods, as classes m0, m1 …."""
    own = "".join(f".m{i}{{--method:{colour}}}" for i, colour in enumerate(colours))
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><meta charset="utf-8"/>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        '<meta name="color-scheme" content="light dark"/>'
        f"<title>{text(title)}</title><style>{_STYLE}{own}</style></head>\n<body><main>"
        + "\n".join(parts)
        + "</main></body></html>\n"
    )


_STYLE = """
:root{color-scheme:light dark;--paper:#fff;--ink:#1c1e21;--faint:#5c626b;--line:#d9dce1;--soft:#f5f6f8;
--b0:#1b7f4c;--b0t:#fff;--b1:#c9ebcf;--b1t:#11331c;--b2:#ffdf9e;--b2t:#442c00;--b3:#f6b3a6;--b3t:#4d0f04}
@media (prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e7e9ec;--faint:#a2a9b3;--line:#363b42;--soft:#1d2024;
--b0:#2f9e66;--b0t:#04130a;--b1:#1f4a2d;--b1t:#d5f2dc;--b2:#5f4511;--b2t:#ffe9bd;--b3:#6d2a1e;--b3t:#ffd9d1}}
*{box-sizing:border-box}
body{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1120px;margin:0 auto;padding:2.5rem 1.5rem 4rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 .4rem;letter-spacing:-.015em}
h2{font-size:1.4rem;line-height:1.25;margin:3.2rem 0 .8rem;padding-top:1.1rem;border-top:2px solid var(--ink)}
h3{font-size:1.05rem;margin:1.9rem 0 .5rem}
h1,h2,h3,figcaption,p,li,tbody th{overflow-wrap:anywhere}
p,ul{margin:.5rem 0;max-width:52rem}ul{padding-left:1.2rem}li{margin:.3rem 0}
.lead{font-size:1.12rem}.note,figcaption,.facts{color:var(--faint);font-size:.875rem;line-height:1.45}
.note{max-width:none}
.key{display:flex;flex-wrap:wrap;gap:.3rem 1.3rem;margin:1rem 0;padding:0;list-style:none;max-width:none}
.key li{margin:0;display:flex;align-items:center;gap:.45rem}
.dot{display:inline-block;width:.8em;height:.8em;border-radius:50%;background:var(--method);flex:none;
outline:1px solid var(--line)}
.band{display:inline-block;min-width:1.5em;height:1em;border-radius:3px;flex:none}
.scroll{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
tfoot{border-bottom:1.5px solid var(--ink)}
th,td{padding:.42rem .7rem;text-align:right;vertical-align:top;border-bottom:1px solid var(--line)}
td{white-space:nowrap}.left,th{white-space:normal}
thead th{border-bottom:1.5px solid var(--ink);vertical-align:bottom;font-weight:600}
th:first-child,.left{text-align:left}tbody th,tfoot th{min-width:9rem}tbody th{font-weight:500}
.hash{word-break:break-all;min-width:11rem}
tfoot th,tfoot td{background:var(--soft)}tfoot tr:first-child>*{border-top:1.5px solid var(--ink)}
td small{display:block;font-size:.8em;opacity:.85;white-space:nowrap}
td.ratio b{font-size:1.1em}
.b0{background:var(--b0);color:var(--b0t)}.b1{background:var(--b1);color:var(--b1t)}
.b2{background:var(--b2);color:var(--b2t)}.b3{background:var(--b3);color:var(--b3t)}
.flag{background:repeating-linear-gradient(135deg,var(--line) 0 2px,transparent 2px 7px)}
figure{margin:0;min-width:0}figcaption{margin:.35rem 0 0}
figure svg{display:block;width:100%;height:auto}
.row{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18.5rem),1fr));gap:1.1rem 1.3rem;margin:.7rem 0}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1.1rem 1.8rem;margin:.7rem 0}
.map>svg{border:1px solid var(--line);border-radius:4px}
.map figcaption b,.name{color:var(--ink);font-weight:600}
.wide{max-width:52rem}
.scale{display:flex;justify-content:space-between;width:15rem;max-width:100%;margin:.2rem 0}
.heat{height:.7rem;border-radius:3px;width:15rem;max-width:100%}
details{margin:.6rem 0;border:1px solid var(--line);border-radius:6px;padding:.2rem 1rem}
summary{cursor:pointer;font-weight:600;padding:.35rem 0}details h2{border:0;margin:.4rem 0;padding:0}
code,pre{font:.875em/1.5 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.8rem 1rem;
white-space:pre-wrap;overflow-wrap:anywhere}
@media print{body{font-size:11px}main{max-width:none;padding:0}section section,figure,tr{break-inside:avoid}}
"""
