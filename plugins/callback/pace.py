# Copyright: the ascend-provision authors
# GNU General Public License v3.0 or later (see LICENSES/GPL-3.0-or-later.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""ascend.provision.pace: makes ansible-playbook cheap for many hosts that take their time. Changes no result."""

from __future__ import annotations

import gc

from ansible import constants
from ansible.plugins.callback import CallbackBase
from ansible.utils.display import Display

DOCUMENTATION = """
name: pace
type: aggregate
short_description: Ansible waits patiently for its workers
description:
  - Looks for results a few times a second where there are many hosts; by itself Ansible does so a thousand times.
  - Takes from the debug messages, which are off, what ansible-runner does around each of them.
  - Leaves what the parent has loaded alone in the workers' garbage collection, so that they go on sharing its memory.
options:
  seconds:
    description: How long to wait between two looks at the workers.
    type: float
    default: 0.001
    env:
      - name: ASCEND_PROVISION_PACE
requirements:
  - enabled by ascend-provision, for the runs that it starts
"""


def _nothing(*_: object, **__: object) -> None:
    """What a debug message does where debugging is off."""


class CallbackModule(CallbackBase):
    """Set up once, before the first worker is started."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "ascend.provision.pace"
    CALLBACK_NEEDS_ENABLED = True

    def v2_playbook_on_play_start(self, play: object) -> None:
        del play
        # the option has no environment variable, and a configuration file of ours would hide the user's own
        own = float(constants.DEFAULT_INTERNAL_POLL_INTERVAL)
        constants.DEFAULT_INTERNAL_POLL_INTERVAL = max(own, self.get_option("seconds"))
        if not constants.DEFAULT_DEBUG:
            # ansible-runner sets a context around each; Ansible calls it some hundred times a host, and it says nothing
            Display.debug = _nothing
        gc.collect()
        gc.freeze()
