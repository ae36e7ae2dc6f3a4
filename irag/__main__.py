"""python -m irag"""

import sys

from irag.cli import main

sys.exit(main())
