"""Words for counts in messages."""


def counted(count: int, thing: str, things: str = "") -> str:
    """Return "1 click" or "3 clicks"; ``things`` is the plural of ``thing`` unless that just adds an s."""
    return f"{count} {thing if count == 1 else things or f'{thing}s'}"
