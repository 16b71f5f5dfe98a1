"""Where the schemes are kept that the strategy novitsky learns while it plays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.cli.folders import data_folder
from bot.cli.output import complain, side_console
from bot.errors import PatternError
from bot.files import put_aside
from bot.solver.patterns.checking import fault
from bot.solver.patterns.learning import Learner
from bot.solver.patterns.library import HEADER, read, shipped
from bot.solver.patterns.scheme import Scheme

NOVITSKY = "novitsky"  # the strategy that learns schemes


def learned_file(folder: str | None = None) -> Path:
    """Return the file of the learned schemes in ``folder``, None for the user's; it may not exist yet."""
    return data_folder(folder) / "patterns.txt"


def schemes_in(path: Path) -> list[Scheme]:
    """Return the schemes of a file, each of them checked by trying all placements of mines.

    Raises PatternError if it cannot be read, if it is damaged, or if one of its schemes is wrong.
    """
    try:
        schemes = read(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PatternError(f"{path} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise PatternError(f"{path}: this is no library of schemes, nor text at all") from error
    except PatternError as error:
        raise PatternError(f"{path}: {error}") from error
    if found := first_fault(schemes):
        raise PatternError(f"{path}: {found}")
    return schemes


def first_fault(schemes: Sequence[Scheme]) -> str:
    """Return which of the schemes is wrong, and how; "" if all of them hold."""
    said = ((scheme, fault(scheme)) for scheme in schemes)
    return next((f"the scheme {scheme} is wrong: {wrong}" for scheme, wrong in said if wrong), "")


def learned_schemes(path: Path) -> list[Scheme]:
    """Return what was learned so far. A file that cannot be used is told of and kept under another name."""
    if not path.exists():
        return []
    try:
        return schemes_in(path)
    except PatternError as error:
        complain(f"{error}; {_set_aside(path)}, and learning begins anew")
        return []


def _set_aside(path: Path) -> str:
    """Give a file another name; return in words what became of it."""
    try:
        return f"it is kept as {put_aside(path).name}"
    except OSError as error:
        return f"it stays where it is ({error.strerror})"


def learner(path: Path) -> Learner:
    """Return all schemes that are known, and what adds the ones it learns to ``path`` at once."""
    return Learner([*shipped().schemes, *learned_schemes(path)], SchemeKeeper(path).keep)


class SchemeKeeper:
    """Adds schemes to a file, each as soon as it is learned; complains once if that fails."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failed = False

    def keep(self, scheme: Scheme) -> None:
        """Add a scheme to the file, and say so."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            new = not self._path.exists()
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{HEADER}\n" * new + f"{scheme.order} {scheme}\n")
        except OSError as error:
            if not self._failed:
                complain(
                    f"{self._path} cannot be written ({error.strerror}); what is learned will be forgotten"
                )
            self._failed = True
            return
        side_console().print(f"learned the scheme {scheme}", markup=False)
