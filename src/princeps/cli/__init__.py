"""The verbs. One file each, imported only when that verb is called (or when help must list them all)."""

from __future__ import annotations

import sys
from importlib import import_module

VERBS = {
    "new": "princeps.cli.new_verb",
    "check": "princeps.cli.check_verb",
    "list": "princeps.cli.list_verb",
    "show": "princeps.cli.show_verb",
    "run": "princeps.cli.run_verb",
    "watch": "princeps.cli.watch_verb",
    "net": "princeps.cli.net_verb",
    "exact": "princeps.cli.exact_verb",
    "prove": "princeps.cli.prove_verb",
    "worst": "princeps.cli.worst_verb",
    "hold": "princeps.cli.hold_verb",
    "tune": "princeps.cli.tune_verb",
    "sweep": "princeps.cli.sweep_verb",
    "results": "princeps.cli.results_verb",
    "fit": "princeps.cli.fit_verb",
    "plot": "princeps.cli.plot_verb",
    "merge": "princeps.cli.merge_verb",
    "paper": "princeps.cli.paper_verb",
    "table": "princeps.cli.table_verb",
    "ring": "princeps.cli.ring_verb",
    "rings": "princeps.cli.rings_verb",
    "impossible": "princeps.cli.impossible_verb",
    "tour": "princeps.cli.tour_verb",
    "warm": "princeps.cli.warm_verb",
}
OF_NET = {"net node": "princeps.cli.net_node_verb", "net judge": "princeps.cli.net_judge_verb"}  # verbs of two words
MEANT = {  # what people call something that a verb does
    "compare": "plot STORE -o FIGURE --kind compare",
    "draw": "plot STORE -o FIGURE",
    "estimate": "run NAME -n NUMBER --dry-run",
    "help": "--help",
    "replay": "run --script FILE",
    "simulate": "run NAME -n NUMBER",
    "trials": "run NAME -n NUMBER --trials NUMBER",
    "version": "--version",
}
INTERRUPTED = 130


def entry() -> None:
    """The command line in a process of its own."""
    try:
        from princeps.cli.ending import hear_interruptions, watch_threads
        from princeps.cli.streams import prepare
        from princeps.model import machine

        prepare()
        watch_threads()
        hear_interruptions()
        machine.is_own_process = True
    except BaseException as error:
        if not isinstance(itself(error), KeyboardInterrupt):
            raise
        raise SystemExit(_interrupted()) from None
    try:
        main()
    except SystemExit as left:
        if left.code == INTERRUPTED:
            # `python -m` remembers a Ctrl-C that passes through exec() of a text, as in an import of dataclasses, until the
            # next such exec(), and would end by the signal although the interruption was dealt with.
            exec("")
        raise


def main() -> None:
    try:
        from princeps.wording import on_the_command_line

        with on_the_command_line():
            code = _exit_code()
    except BaseException as error:  # while modules were loaded, or while it was being told how the command ended
        if not isinstance(itself(error), KeyboardInterrupt):
            raise
        code = _interrupted()
    raise SystemExit(code)


def _exit_code() -> int:
    from princeps.cli.ending import exit_code_of, worst

    try:
        code = _dispatch(_understood(sys.argv[1:]) or ["--help"])
        sys.stdout.flush()
    except BaseException as error:
        code = error.code if _is_told(error) else exit_code_of(error)  # type: ignore[attr-defined]
    return worst(code)


def itself(error: BaseException) -> BaseException:
    """Before version 3.12 Python makes a RuntimeError of Ctrl-C that comes while a class names its attributes."""
    wraps = isinstance(error, RuntimeError) and isinstance(error.__cause__, KeyboardInterrupt)
    return error.__cause__ if wraps and error.__cause__ is not None else error


def _interrupted() -> int:
    """Without any module that may not be there yet."""
    print("princeps: interrupted.", file=sys.stderr)
    return INTERRUPTED


def _is_told(error: BaseException) -> bool:
    """A verb has ended, and has said why; typer ends like this as well, without a word, where nobody reads its help."""
    ended = isinstance(error, SystemExit) and isinstance(error.code, int)
    return ended and not isinstance(error.__context__, BrokenPipeError)


def _understood(words: list[str]) -> list[str]:
    """`--trace` may stand without a file: it then means the screen, which is written `-`. And -1,2 may be labels."""
    if " ".join(words[:2]) in OF_NET:
        return [" ".join(words[:2]), *words[2:]]
    if words[:1] == ["ring"]:
        of_options = {place + 1 for place, word in enumerate(words) if word in ("--seed", "--random", "--ring")}
        labels = {k for k, word in enumerate(words) if word[:1] == "-" and word[1:2].isdigit()} - of_options
        if labels:
            others = [word for k, word in enumerate(words) if k not in labels]
            words = [*others, "--", *(words[k] for k in sorted(labels))]
    out: list[str] = []
    for word, following in zip(words, [*words[1:], "--"], strict=False):
        out += [word, "-"] if word == "--trace" and following.startswith("-") and following != "-" else [word]
    return out


def _dispatch(words: list[str]) -> int:
    from princeps.cli.shells import completed_words, is_about_completion, set_up_completion
    from princeps.errors import hint

    if is_about_completion(words):
        return set_up_completion(words)
    completed = completed_words()  # of the command line on which Tab was pressed
    called = next((word for word in (completed or words) if not word.startswith("-")), None)
    if completed is not None:
        called = called if called in VERBS and called != completed[-1] else None
    elif called is not None and called not in VERBS | OF_NET:
        meant = MEANT.get(called)
        return _refuse(f"unknown verb {called!r}: {f'write princeps {meant}.' if meant else hint(called, list(VERBS))}")
    if called is not None and called == words[0] and completed is None:
        from princeps.cli.plain import read_plain

        command = import_module((VERBS | OF_NET)[called]).command
        given = read_plain(command, words[1:])
        if given is not None:
            command(**given)  # ends by an exception
    return _by_typer(words, called)


def _by_typer(words: list[str], called: str | None) -> int:
    """Help, completion, and commands that plain.py leaves to it."""
    import typer

    from princeps.cli.declared import for_typer
    from princeps.cli.verb_help import Verb, examples

    app = typer.Typer(
        name="princeps",
        help="A laboratory for leader election.",
        invoke_without_command=True,
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
        module = import_module((VERBS | OF_NET)[name])
        app.command(name, cls=Verb, epilog=examples(getattr(module, "EXAMPLES", ())))(for_typer(module.command))
    try:
        code = app(words, prog_name="princeps", standalone_mode=False) or 0
    except typer.Abort:  # Ctrl-C while typer reads the command line
        raise KeyboardInterrupt from None
    except Exception as error:
        if not hasattr(
            error, "format_message"
        ):  # a mistake in the command line is reported in one sentence, like all others
            raise
        from princeps.cli.mistakes import mistake_in_words

        return _refuse(mistake_in_words(error, words, called))
    if code == INTERRUPTED:  # a verb ends by an exception: this is what typer makes of Ctrl-C outside of it
        raise KeyboardInterrupt
    return code


def _refuse(sentence: str) -> int:
    from princeps.cli.frame import BAD_INPUT, complain

    complain(sentence)
    return BAD_INPUT
