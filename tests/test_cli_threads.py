"""The program counts on one thread: that has to be said before numpy and OpenCV are imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from bot.cli.threads import use_one_thread

PROGRAM = """
import json, os, sys
import bot.__main__
early = sorted({"numpy", "cv2"} & set(sys.modules))
sys.argv = ["minebot", "--version"]
try:
    bot.__main__.main()
except SystemExit:
    pass
import cv2, numpy
numpy.ones((400, 400)) @ numpy.ones((400, 400))
threads = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 1
print(json.dumps([early, threads, cv2.getNumThreads()]))
"""


def test_numpy_and_opencv_start_no_threads() -> None:
    unset = {name: value for name, value in os.environ.items() if "_THREADS" not in name}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=unset, capture_output=True, check=True)
    early, threads, for_opencv = json.loads(done.stdout.splitlines()[-1])
    assert early == []
    assert threads == 1
    assert for_opencv == 1


@pytest.mark.parametrize("wish", ["1", "3"])
def test_what_the_user_has_set_stays(wish: str) -> None:
    environment = {"OMP_NUM_THREADS": wish}
    use_one_thread(environment)
    assert environment["OMP_NUM_THREADS"] == wish
    assert environment["OPENBLAS_NUM_THREADS"] == "1"
