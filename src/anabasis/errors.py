"""Errors: what was wrong with an input, where, what was expected, and a hint.

Errors are for wrong input; a hard problem that has no solution is a `Status` of a `Result`, never an exception.
"""

from __future__ import annotations

from typing import Any

__all__ = ["AnabasisError", "InputError", "MissingExtraError"]


class AnabasisError(Exception):
    """Any error that Anabasis raises on purpose; its text is fit to be shown to a user."""


class InputError(AnabasisError, ValueError):
    """A wrong input: `file:where: problem; found …; expected …. Hint: …`.

    `where` is a line number or a path inside the file such as `groups[0].speed`; every part but `problem` is optional.
    """

    def __init__(
        self,
        problem: str,
        *,
        file: object = None,
        where: int | str | None = None,
        found: object = None,
        expected: str | None = None,
        hint: str | None = None,
    ) -> None:
        self.problem = problem
        self.file = None if file is None else str(file)
        self.where = None if where == "" else where  # "" is the root of a document
        self.found = found
        self.expected = expected
        self.hint = hint
        super().__init__(self._text())

    def _text(self) -> str:
        place = [self.file] if self.file else []
        if self.where is not None:
            place.append(f"line {self.where}" if isinstance(self.where, int) else self.where)
        text = ": ".join([*place, self.problem])
        if self.found is not None:
            found = self.found if isinstance(self.found, str) else repr(self.found)
            text += f"; found {' '.join(found.split()) if chr(10) in found else found}"  # of an array, in one line
        if self.expected:
            text += f"; expected {self.expected}"
        if self.hint:
            text += f". Hint: {self.hint}"
        return text

    def __reduce__(self) -> tuple[object, ...]:
        keywords = {
            "file": self.file,
            "where": self.where,
            "found": self.found,
            "expected": self.expected,
            "hint": self.hint,
        }
        return (_rebuild, (self.problem, keywords))

    def parts(self) -> dict[str, Any]:
        """Return what the text is made of: problem, file, where, found, expected and hint."""
        found = self.found if self.found is None or isinstance(self.found, str) else repr(self.found)
        return {
            "problem": self.problem,
            "file": self.file,
            "where": self.where,
            "found": found,
            "expected": self.expected,
            "hint": self.hint,
        }

    def at(self, file: object, where: int | str | None = None) -> InputError:
        """Return the same error with the file (and place) filled in, for readers that learn them later."""
        return InputError(
            self.problem,
            file=file if self.file is None else self.file,
            where=where if self.where is None else self.where,
            found=self.found,
            expected=self.expected,
            hint=self.hint,
        )


def _rebuild(problem: str, keywords: dict[str, Any]) -> InputError:
    """Make the error again in another process (exceptions are pickled without their keywords)."""
    return InputError(problem, **keywords)


class MissingExtraError(AnabasisError, ImportError):
    """An optional library is not installed; the text is one line with the command that installs it."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is needed for this; install it with: pip install 'anabasis[{extra}]'")
