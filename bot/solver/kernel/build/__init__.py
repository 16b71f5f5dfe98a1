"""How the kernel is compiled, stored and called; `README.md` in this folder explains it."""
