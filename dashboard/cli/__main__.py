"""`python -m shadowtime.dashboard.cli`: the console script without an installation."""

import sys

from shadowtime.dashboard.cli import main

sys.exit(main())
