"""`python -m tapeflow` is the command `tapeflow`."""

import sys

from tapeflow.cli import main

sys.exit(main())
