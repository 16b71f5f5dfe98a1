"""Run the command line: ``python -m bot`` is the same as ``minebot``."""

from bot.cli import main

if __name__ == "__main__":
    main()
