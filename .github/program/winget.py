"""Write the manifest with which winget installs a release on Windows.

``python .github/program/winget.py ZIP URL FOLDER``: ZIP is the built program, URL the address from which
users download it. FOLDER gets the files that a pull request to winget-pkgs needs.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

TEMPLATES = Path(__file__).parents[1] / "winget"


def main() -> None:
    """Fill in version, address and checksum."""
    archive, url, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    facts = {
        "version": archive.name.split("-")[1],
        "url": url,
        "sha256": hashlib.sha256(archive.read_bytes()).hexdigest().upper(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for template in TEMPLATES.glob("*.yaml"):
        text = template.read_text(encoding="utf-8").format(**facts)
        (folder / f"minebot.{template.name}").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
