"""Pictures that Qt has drawn, as pixels."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QImage

from bot.geometry import Pixels


def pixels(image: QImage) -> Pixels:
    """Return a picture of Qt as BGR pixels."""
    copy = image.convertToFormat(QImage.Format.Format_RGB32)
    data = np.frombuffer(copy.constBits(), np.uint8).reshape(copy.height(), copy.bytesPerLine() // 4, 4)
    return data[:, : copy.width(), :3].copy()
