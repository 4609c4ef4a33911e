"""The hook of `mkdocs.yml`: generated pages beside those of `docs/`, and the documents of the root.

Nothing generated is kept in the repository except the prices, which take minutes to count.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from pitboss.rulebooks import book_ids, load_plan
from site_pages.command_line import command_page
from site_pages.diagrams import layers_svg, request_svg
from site_pages.felt import layout_svg
from site_pages.games import game_page, remedies_page
from site_pages.http_api import http_page
from site_pages.library_api import library_page
from site_pages.register import readings_page, register_page
from site_pages.rulebook_format import format_page

ROOT = Path(__file__).parent.parent
AT_ROOT = {"CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md", "CHANGELOG.md": "changelog.md"}
"""Documents of the repository's root, and where they stand on the site."""
NOT_ON_THE_SITE = ("README.md", "LICENSE", "STANDARDS.md")
PICTURES: dict[str, Callable[[], str]] = {"layers": layers_svg, "request": request_svg}
"""What stands for `<!-- picture: NAME | what it shows -->`."""


def generated() -> dict[str, str]:
    """Every page and picture that is made from the data, by its place on the site."""
    found = {
        "reference/rulebook-format.md": format_page(),
        "reference/http.md": http_page(),
        "reference/library.md": library_page(),
        "reference/command-line.md": command_page(),
    }
    for book in book_ids():
        plan = load_plan(book)
        found[f"games/{book}-layout.svg"] = layout_svg(plan)
        found[f"register/{book}.md"] = register_page(plan)
        found[f"readings/{book}.md"] = readings_page(plan)
        found[f"remedies/{book}.md"] = remedies_page(plan)
    for name, draw in PICTURES.items():
        found[f"pictures/{name}.svg"] = draw()
    for name, place in AT_ROOT.items():
        found[place] = (ROOT / name).read_text(encoding="utf-8")
    return found


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is generated."""
    for place, text in generated().items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the data below the introductions of the games, draw the pictures, mend links to the root."""
    place = page.file.src_uri
    folder, name = posixpath.split(place)
    if folder == "games" and name.removesuffix(".md") in book_ids():
        markdown += game_page(load_plan(name.removesuffix(".md")))
    return with_links(with_pictures(markdown, folder), place)


def with_pictures(markdown: str, folder: str) -> str:
    """Each mark of a picture as the picture."""

    def picture(found: re.Match[str]) -> str:
        assert found[1] in PICTURES, f"no picture {found[1]}"
        return f"![{found[2]}]({posixpath.relpath(f'pictures/{found[1]}.svg', folder or '.')})"

    return re.sub(r"<!-- picture: (\w+) \| (.*?) -->", picture, markdown)


def with_links(markdown: str, place: str) -> str:
    """Links between the root's documents and those of `docs/` as they stand on the site."""
    folder = posixpath.dirname(place)
    own = {there: here for here, there in AT_ROOT.items()}

    def link(found: re.Match[str]) -> str:
        words, target = found[1], found[2]
        path, hash_, anchor = target.partition("#")
        at = posixpath.normpath(posixpath.join("." if place in own else f"docs/{folder}", path))
        if at in NOT_ON_THE_SITE:
            return words
        moved = AT_ROOT.get(at) or (at.removeprefix("docs/") if place in own else "")
        return f"[{words}]({posixpath.relpath(moved, folder or '.')}{hash_}{anchor})" if moved else found[0]

    return re.sub(r"\[([^\]\n]+)\]\(((?![a-z]+:|#)[^)\s]+)\)", link, markdown)
