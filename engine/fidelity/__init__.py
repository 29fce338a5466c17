"""How true a simulation is: models fitted to the first half of a log, tested on the second."""
