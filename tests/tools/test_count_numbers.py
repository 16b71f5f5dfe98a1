"""The count of numbers is the same wherever a number is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.count_numbers import FOLDER, modules, numbers_in

# One number each, 0.3: however it is moved, the count stays.
PLACES = (
    "LIMIT = 0.3",
    "LEAST, LIMIT = 0, 0.3",
    "LIMITS = (1, 0.3)",
    "LIMITS = {'rim': 0.3}",
    "LIMITS = np.array([0.3])",
    "LIMIT: float = 0.3",
    "def is_near(far): return far < 0.3",
    "def is_near(far, limit=0.3): return far < limit",
    "def is_near(far, *, limit=0.3): return far < limit",
    "is_near(far, limit=0.3)",
    "near = points[far < 0.3]",
    "near = limits[name] + 0.3",
    "near = np.full(2, 0.3)",
    "score -= (far > 2.0) * 0.3",
    "limit = -0.3 if far else 0",
    "class Limits:\n    rim: float = 0.3",
    "near = lambda far: far < 0.3",
)
USUAL = (
    "first, last = seen[0], seen[-1]",
    "blue, rest = pixels[..., 3], pixels[3:, :4]",
    "rows = slice(1, -3)",
    "picture = np.zeros((rows, cols, 3), np.uint8).reshape(-1, 4)",
    "mean = pictures.mean((2, 3), keepdims=True).max(axis=3)",
    "if picture.ndim == 3 and picture.shape[2] != 4: pass",
    "share = pixels / 255.0 + 256",
    "words = f'{size // 10**6} million pixels'",
    "def named(colour: tuple[int, Literal[7]]) -> Literal[9]: return True",
    "if count(seen) >= 2.0: pass",
    "@lru_cache(maxsize=64)\ndef pieces(mask): return components(mask, connectivity=8)",
)
DECIDING = {  # what looks usual and is not
    "rows = slice(4, 13)": ["13"],
    "eyes = face[4:13]": ["13"],
    "if picture.shape[0] < 3: pass": ["3"],
    "near = points[count >= 4]": ["4"],
    "near = np.zeros(12)": ["12"],
    "least = max(3, far)": ["3"],
    "far = np.maximum(far, 3)": ["3"],
    "worth = -12.0": ["-12.0"],
}


@pytest.mark.parametrize("source", PLACES)
def test_a_number_counts_wherever_it_is_written(source: str) -> None:
    assert [number.written.lstrip("-") for number in numbers_in(source)] == ["0.3"]


@pytest.mark.parametrize("source", USUAL)
def test_usual_numbers_and_layouts_of_arrays_do_not_count(source: str) -> None:
    assert numbers_in(source) == []


@pytest.mark.parametrize("source", DECIDING)
def test_what_decides_counts_also_where_layouts_are_written(source: str) -> None:
    assert [number.written for number in numbers_in(source)] == DECIDING[source]


def test_numbers_are_found_in_the_code_of_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    files = modules(FOLDER, None)
    assert "bot/vision/locate.py" in files
    found = numbers_in(files["bot/vision/locate.py"])
    assert [number.line for number in found] == sorted(number.line for number in found)
    assert len(found) > 10
