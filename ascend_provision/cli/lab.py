"""`lab VERB`: simulated Ascend hosts. The verbs are in lab_fleet.py (the fleet) and lab_hosts.py (single hosts)."""

from __future__ import annotations

import typer

from ascend_provision.cli import lab_fleet, lab_hosts

app = typer.Typer(no_args_is_help=True, help="Simulated Ascend hosts: real Linux hosts over real SSH, no NPU needed.")

# everything after the first word belongs to the command, options too
_COMMAND = {"ignore_unknown_options": True, "allow_interspersed_args": False}

app.command("up")(lab_fleet.up)
app.command("down")(lab_fleet.down)
app.command("status")(lab_fleet.status)
app.command("inventory")(lab_fleet.inventory)
app.command("run", context_settings=_COMMAND)(lab_fleet.run)
app.command("exec", context_settings=_COMMAND)(lab_hosts.execute)
app.command("fault")(lab_hosts.fault)
app.command("power")(lab_hosts.power)
app.command("cut")(lab_hosts.cut)
app.command("heal")(lab_hosts.heal)
app.command("digest")(lab_hosts.digest)
app.command("logs")(lab_hosts.logs)
app.command("packages")(lab_fleet.packages)
app.command("image")(lab_fleet.make_image)
