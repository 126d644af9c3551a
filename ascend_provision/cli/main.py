"""The command `ascend-provision`: verbs put together, and every way a command can end turned into a status."""

from __future__ import annotations

import errno
import importlib
import os
import sys
import time
import traceback
from collections.abc import Sequence
from typing import Annotated, Any

import typer

import ascend_provision
from ascend_provision.cli import exit as statuses
from ascend_provision.cli import places
from ascend_provision.cli.exit import Exit
from ascend_provision.cli.terminal import complain
from ascend_provision.stack.errors import ProvisionError, UsageError

VERBS = (
    "check",
    "facts",
    "plan",
    "upgrade",
    "bootstrap",
    "rollback",
    "verify",
    "profile",
    "matrix",
    "bundle",
    "runs",
    "lease",
    "schedule",
    "lab",
)
"""In the order of the help. Each is a module with a function of its name or, where verbs are below it, an `app`."""

# typer brings its own copy of click from 0.2x on, so its error class is reached through typer's name for a subclass.
_COMMAND_LINE_ERROR: Any = typer.BadParameter.__mro__[2]
_INTERRUPTED = 130


def _version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"ascend-provision {ascend_provision.__version__}\n")
        raise typer.Exit(0)


def root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Only here so that `--version` needs no verb."""


def command_line(verbs: Sequence[str] = VERBS) -> typer.Typer:
    """The commands of these verbs; a verb that is not among them is not even imported, which halves the start-up."""
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Bring Ascend NPU servers to a known-good driver, firmware, CANN and framework stack, and prove it.",
    )
    app.callback()(root)
    for verb in verbs:
        module = importlib.import_module(f"ascend_provision.cli.{verb}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=verb)
        else:
            app.command(verb)(getattr(module, verb))
    return app


_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    arguments = _last_run(sys.argv[1:] if arguments is None else arguments)
    if "--no-color" in arguments:
        os.environ["NO_COLOR"] = "1"
    try:
        asked = [verb for verb in VERBS if [verb] == arguments[:1]]
        status = command_line(asked or VERBS)(arguments, prog_name="ascend-provision", standalone_mode=False)
    except ProvisionError as error:
        complain(error, sys.stderr)
        return statuses.of_error(error)
    except _COMMAND_LINE_ERROR as error:
        complain(_usage(error), sys.stderr)
        return Exit.USAGE
    except (KeyboardInterrupt, typer.Abort):
        return _stopped()
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            complain(_no_room(error), sys.stderr)
            return Exit.USAGE
        return _defect(error, verbose="-v" in arguments or "--verbose" in arguments)
    if status == _INTERRUPTED:
        return _stopped()
    return status if isinstance(status, int) else Exit.DONE


def _last_run(arguments: Sequence[str]) -> list[str]:
    """`--resume` without a name means the last run; the command line library has no option with an optional value."""
    given = list(arguments)
    if "--resume" in given:
        after = given.index("--resume") + 1
        if after == len(given) or given[after].startswith("-"):
            given.insert(after, "last")
    return given


def _usage(error: Any) -> UsageError:
    """The command line library's complaint as one of ours; a missing verb names the verbs there are."""
    context = error.ctx
    command = context.command_path if context is not None else "ascend-provision"
    text, why = str(error.format_message()).replace("Value error, ", ""), ""
    verbs = (
        context.command.list_commands(context) if hasattr(getattr(context, "command", None), "list_commands") else []
    )
    if verbs and (not text or text.startswith("Missing command")):
        text, why = f"`{command}` needs a verb", f"verbs: {', '.join(verbs)}"
    return UsageError(text, code="command-line", why=why, next_action=f"{command} --help")


def _no_room(error: OSError) -> UsageError:
    """This machine's disk, not a defect. What a run had begun stays resumable: facts are believed over records."""
    return UsageError(
        f"this machine cannot write its records: {error.strerror}",
        code="disk-full",
        why=str(error.filename or places.tracebacks().parent),
        next_action="make room, then run the same command again: what is done on the hosts stays done",
    )


def _stopped() -> Exit:
    sys.stderr.write("stopped: nothing was changed\n")
    return Exit.DONE


def _defect(error: Exception, *, verbose: bool) -> Exit:
    """One line for the operator; the traceback goes to a file, and to stderr only when asked for."""
    text = "".join(traceback.format_exception(error))
    path = places.tracebacks() / f"{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text(text, encoding="utf-8")
        where = f"traceback: {path}"
    except OSError as unwritable:
        where = f"traceback could not be written: {unwritable}; repeat with -v"
    summary = traceback.format_exception_only(error)[-1].strip().splitlines()[0]
    complain(ProvisionError(f"defect in ascend-provision: {summary}", code="internal", next_action=where), sys.stderr)
    if verbose:
        sys.stderr.write(text)
    return Exit.INTERNAL


if __name__ == "__main__":
    sys.exit(main())
