"""A bot that plays the real Windows Minesweeper by looking at the screen."""

import os

__version__ = "0.1.0"

# OpenCV refuses larger pictures by their headers, before it allocates memory; it reads this at its import.
MOST_PIXELS = 1 << 25  # a screen of 8K has a few less
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
