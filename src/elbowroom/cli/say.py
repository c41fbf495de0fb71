"""What the commands say: results on stdout, everything about them on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from elbowroom.checks.report import Report

NAME = "elbowroom"
PATIENCE = 2.0  # [s] after which work is long
COLORS = {"error": "red", "warning": "yellow", "info": "cyan"}


def one_line(text: str) -> str:
    """Text of several lines as one, without what could move a terminal's cursor."""
    head, *rest = text.splitlines() or [""]
    joined = ": ".join([head.strip(), "; ".join(line.strip() for line in rest)] if rest else [head])
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in joined)


def quoted(word: str) -> str:
    """A word of the user's in quotes, cut when very long."""
    return f'"{word if len(word) <= 60 else word[:60] + "…"}"'


def complain(text: str) -> None:
    """The one line of an error."""
    click.echo(f"{NAME}: {one_line(text)}", err=True)


def note(text: str) -> None:
    """A remark beside the result."""
    click.echo(f"{NAME}: {one_line(text)}", err=True)


def show_json(data: Any) -> None:
    """JSON on stdout, in letters where the terminal has them."""
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        text = json.dumps(data, indent=2, allow_nan=False)
    click.echo(text)


def show_table(title: str, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table under its title; nothing for no rows."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title=title, title_justify="left", title_style="bold", header_style="dim")
    for name in headers:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    if table.row_count:
        _print_rich(table)
        click.echo()


def show_report(report: Report) -> None:
    """Findings: a table on a terminal, a line each elsewhere."""
    if not _terminal(sys.stdout):
        for line in str(report).splitlines():
            click.echo(one_line(line))
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    for finding in report.findings:
        text = _cell(finding.message)
        text.append(f"\n{one_line(finding.hint)}" if finding.hint else "", style="dim")
        table.add_row(Text(finding.severity, style=COLORS[finding.severity]), finding.code, text)
    if report.findings:
        _print_rich(table)
    for line in (*report.skipped, report.headline):
        click.echo(one_line(line))


def _terminal(stream: Any) -> bool:
    """Whether somebody looks at it; a closed stream is None."""
    return stream is not None and bool(stream.isatty())


def _cell(value: object) -> Any:
    from rich.text import Text

    return Text(one_line("" if value is None else str(value)))


def _print_rich(table: Any) -> None:
    from rich.console import Console

    width = None if _terminal(sys.stdout) else 100_000  # a file has no edge to wrap at
    console = Console(width=width, highlight=False, markup=False)
    with console.capture() as capture:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))


def steps(names: Sequence[str], doing: str) -> Iterator[str]:
    """The names one after the other, with progress."""
    with progress(doing) as tick:
        for i, name in enumerate(names):
            tick(i, len(names))
            yield name


@contextmanager
def progress(doing: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with (done, in all): once the work turns out to be long, stderr shows how far it is.

    A bar on a terminal, which goes away in the end; plain lines elsewhere, the last of them about all of the work.
    """
    shown = _Bar(doing) if _terminal(sys.stderr) else _Lines(doing)
    try:
        yield shown.tick
        shown.finish()
    finally:
        shown.close()


class _Lines:
    """A line every few seconds."""

    def __init__(self, doing: str) -> None:
        self.doing, self.last = doing, time.monotonic()
        self.shown, self.total = -1, 0

    def tick(self, done: int, total: int) -> None:
        now = time.monotonic()
        self.total = total
        if now - self.last > PATIENCE:
            self.last = now
            self.show(done, total)

    def show(self, done: int, total: int) -> None:
        self.shown = done
        note(f"{self.doing}: {done} of {total}")

    def finish(self) -> None:
        if 0 <= self.shown < self.total:
            self.show(self.total, self.total)

    def close(self) -> None:
        pass


class _Bar(_Lines):
    """A bar, drawn by rich, which is not loaded before it is needed."""

    bar: Any = None

    def tick(self, done: int, total: int) -> None:
        if self.bar is not None or time.monotonic() - self.last > PATIENCE / 4.0:
            self.show(done, total)

    def show(self, done: int, total: int) -> None:
        if self.bar is None:
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False)
            self.bar.start()
            self.task = self.bar.add_task(self.doing, total=total)
        self.bar.update(self.task, completed=done, total=total)

    def finish(self) -> None:
        pass

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
