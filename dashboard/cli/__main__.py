"""`python -m dashboard.cli`: the console script without an installation."""

import sys

from dashboard.cli import main

sys.exit(main())
