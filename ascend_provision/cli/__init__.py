"""One module per verb: options -> request -> one call -> exit status. No logic."""
