"""One page for each verb of the command line: its options as the code declares them."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from princeps.cli import VERBS
from princeps.cli.ending import BAD_INPUT, DONE, FAULT, INTERRUPTED, NOT_REACHED
from princeps.model.options import RunOptions, TraceOptions, options_of
from princeps.model.options.declaring import EVERY_KIND, KINDS_IN_WORDS
from sitebuilder.staging import Stage
from sitebuilder.writing import code, page, paragraphs, table, text

EXIT_CODES = {
    DONE: "done",
    NOT_REACHED: "the goal was not reached, a check failed, or a verdict is not the recorded one",
    BAD_INPUT: "bad input; one sentence says what is wrong and what to do",
    FAULT: "a fault of princeps itself; one sentence names the file with the details",
    INTERRUPTED: "interrupted; what was finished is kept and printed",
}


def write_command_pages(stage: Stage) -> list[str]:
    """The names of the pages; `commands/README` lists them."""
    import typer

    app = typer.Typer(add_completion=False)
    for verb, module in VERBS.items():
        app.command(verb)(import_module(module).command)
    group: Any = typer.main.get_command(app)
    rows = []
    for verb in VERBS:
        command = group.commands[verb]
        stage.write(f"commands/{verb}.md", command_page(verb, command))
        rows.append([f"[princeps {verb}]({verb}.md)", text(first_line(command.help))])
    codes = [[f"{number}", text(meaning)] for number, meaning in EXIT_CODES.items()]
    stage.write(
        "commands/README.md",
        page(
            "# Commands",
            "`princeps VERB --help` says the same as these pages, which are made from the code. `--json` prints one "
            "object on each line of stdout; everything else goes to stderr.",
            table(["verb", "what it does"], rows),
            "## Exit codes",
            table(["code", "meaning"], codes),
        ),
    )
    return [f"commands/{verb}" for verb in VERBS]


def first_line(doc: str | None) -> str:
    return (doc or "").strip().partition("\n")[0]


def command_page(verb: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name != "argument" and not one.hidden]
    groups: dict[str, list[list[str]]] = {}
    for one in options:
        groups.setdefault(getattr(one, "rich_help_panel", None) or "Options", []).append(option_row(one))
    words = " ".join(usage(one) for one in arguments)
    return page(
        f"# princeps {verb}",
        f"```text\nprinceps {verb} [OPTIONS] {words}".rstrip() + "\n```",
        *paragraphs(inspect.cleandoc(command.help or "")),
        "## Arguments" if arguments else "",
        table(
            ["argument", "meaning"],
            [[code(one.metavar or one.name), text((one.help or "").replace("\\[", "["))] for one in arguments],
        ),
        *(page(f"## {title}", table(["option", "value", "meaning"], rows)).strip() for title, rows in groups.items()),
    )


def usage(argument: Any) -> str:
    name = (argument.metavar or argument.name).strip("[]")
    dots = "..." if argument.nargs == -1 or argument.multiple else ""
    return f"{name}{dots}" if argument.required else f"[{name}{dots}]"


def option_row(option: Any) -> list[str]:
    flags = ", ".join(code(flag) for flag in [*option.opts, *option.secondary_opts])
    if option.is_flag:
        value = ""
    else:
        default = option.default
        shown = "" if default in (None, "", [], ()) or callable(default) else f", default {default}"
        value = text((option.metavar or "VALUE") + (", repeatable" if option.multiple else "") + shown)
    return [
        flags,
        value,
        " ".join(part for part in (text((option.help or "").replace("\\[", "[")), kinds_of(option)) if part),
    ]


def kinds_of(option: Any) -> str:
    """Which kind of protocol an option is for, if not for all."""
    for cls in (RunOptions, TraceOptions):
        declared = options_of(cls).get(option.name)
        if declared is not None and set(declared.flags) & set(option.opts):
            kinds = " and ".join(KINDS_IN_WORDS[kind] for kind in declared.kinds)
            return "" if declared.kinds == EVERY_KIND else f"*For {kinds}.*"
    return ""
