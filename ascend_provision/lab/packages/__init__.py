"""The lab's vendor packages: real self-extracting `.run` files whose installers behave as published.

`build.build()` makes them, `recipe.install_script()` says how a host is brought to a stack with them.
docs/lab-packages.md lists what is captured, documented or assumed.
"""
