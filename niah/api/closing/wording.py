"""How a remedy names what its reader writes: options of a command, or arguments in Python."""

from __future__ import annotations

from typing import Protocol


class RemedyWords(Protocol):
    """Names what is given with a run.

    Attributes:
        same: what asks as before: "the same command".
        goes_on: what asks for all that is left.
        failed_too: what asks those again that failed, behind that.
        timeout: what gives a reply more time.
        elsewhere: what has it asked into a run file of its own.
    """

    same: str
    goes_on: str
    failed_too: str
    timeout: str
    elsewhere: str

    def option(self, name: str, value: str = "") -> str:
        """An option, and the value it gets."""
        ...

    def reader_option(self, name: str, value: int) -> str:
        """A key of every reader, and the value it gets."""
        ...

    def retry(self, outcome: str) -> str:
        """What asks again the trials of an outcome."""
        ...

    def asking_again(self, outcome: str) -> str:
        """The same, as a whole command or call."""
        ...


class CommandWording:
    """Of the command line: "--retry truncated".

    Args:
        again: the command that takes --retry, where that is another one, as of a night; "" is the one that
            was given.
        goes_on: the command that goes on, where that is another one.
    """

    same, timeout = "the same command", "--timeout"

    def __init__(self, again: str = "", goes_on: str = "") -> None:
        self._again = again
        self.elsewhere = f"another {self.option('date' if again else 'out')}"
        self.goes_on = goes_on or again or self.same
        self.failed_too = f", with {self.option('retry', 'reader_error')} also those that failed"
        if self.goes_on != (again or self.same):
            self.failed_too = f"; {self.retry('reader_error')} asks those again that failed"

    def option(self, name: str, value: str = "") -> str:
        """Such as "--retry truncated"."""
        return f"--{name} {value}".strip()

    def reader_option(self, name: str, value: int) -> str:
        """Such as "--reader-option max_tokens=512"."""
        return f"--reader-option {name}={value}"

    def retry(self, outcome: str) -> str:
        """Such as "--retry truncated", behind a command where that is another one."""
        return f"{self._again} {self.option('retry', outcome)}".strip()

    def asking_again(self, outcome: str) -> str:
        """Such as "the same command with --retry truncated"."""
        return self.retry(outcome) if self._again else f"{self.same} with {self.retry(outcome)}"


class PythonWording:
    """Of ``niah.run``: 'retry="truncated"'."""

    same = goes_on = "the same call"
    failed_too = ', with retry="reader_error" also those that failed'
    timeout, elsewhere = "timeout=", "another out="

    def option(self, name: str, value: str = "") -> str:
        """Such as 'retry="truncated"'."""
        return f'{name}="{value}"' if value else f"{name}="

    def reader_option(self, name: str, value: int) -> str:
        """Such as 'reader_options={"max_tokens": 512}'."""
        return f'reader_options={{"{name}": {value}}}'

    def retry(self, outcome: str) -> str:
        """Such as 'retry="truncated"'."""
        return self.option("retry", outcome)

    def asking_again(self, outcome: str) -> str:
        """Such as 'the same call with retry="truncated"'."""
        return f"{self.same} with {self.retry(outcome)}"
