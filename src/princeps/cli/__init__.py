"""The verbs. One file each, imported only when that verb is called (or when help must list them all)."""

from __future__ import annotations

import difflib
import sys
from importlib import import_module

VERBS = {
    "list": "princeps.cli.list_verb",
    "show": "princeps.cli.show_verb",
    "run": "princeps.cli.run_verb",
    "tour": "princeps.cli.tour_verb",
}


def main() -> None:
    import typer

    called = next((word for word in sys.argv[1:] if not word.startswith("-")), None)
    if called is not None and called not in VERBS:
        near = difflib.get_close_matches(called, VERBS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the verbs are {', '.join(VERBS)}."
        print(f"princeps: unknown verb {called!r}: {hint}", file=sys.stderr)
        raise SystemExit(2)
    app = typer.Typer(
        name="princeps",
        help="A laboratory for leader election.",
        no_args_is_help=True,
        invoke_without_command=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def root(version: bool = typer.Option(False, "--version", help="Show the version.", is_eager=True)) -> None:
        if version:
            from princeps import __version__

            print(f"princeps {__version__}")
            raise typer.Exit()

    for name in [called] if called else list(VERBS):
        app.command(name)(import_module(VERBS[name]).command)
    app()
