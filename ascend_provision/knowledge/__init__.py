"""Published facts as data (`data/*.yaml`, each row with its source), loading and evaluation. Pure."""
