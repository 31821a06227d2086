"""A group with a command that need not be named, on a tiny example."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from niah.cli.default_group import CommandWithOthers, DefaultGroup
from niah.cli.main import main


@click.group(cls=DefaultGroup, default="cut", context_settings={"help_option_names": ["-h", "--help"]})
def bread() -> None:
    """Bread."""


@bread.command()
@click.argument("loaf")
@click.option("--slices", default=1)
def cut(loaf: str, slices: int) -> None:
    click.echo(f"cut {loaf} in {slices}")


@bread.command()
@click.option("--hot", is_flag=True)
def bake(hot: bool) -> None:
    click.echo(f"bake {'hot' if hot else 'cold'}")


@pytest.mark.parametrize(
    ("args", "output"),
    [
        (["rye"], "cut rye in 1"),
        (["rye", "--slices", "3"], "cut rye in 3"),
        (["--slices", "3", "rye"], "cut rye in 3"),
        (["cut", "rye"], "cut rye in 1"),
        (["./bake"], "cut ./bake in 1"),
        (["bake", "--hot"], "bake hot"),
    ],
)
def test_what_is_no_command_goes_to_the_default(args: list[str], output: str) -> None:
    result = CliRunner().invoke(bread, args)
    assert (result.exit_code, result.output) == (0, f"{output}\n")


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_is_the_groups(option: str) -> None:
    result = CliRunner().invoke(bread, [option])
    assert result.exit_code == 0
    assert "COMMAND" in result.output
    assert "bake" in result.output


@click.command()
@click.argument("loaf")
def freeze(loaf: str) -> None:
    """Freeze it."""
    click.echo(f"freeze {loaf}")


@click.command(cls=CommandWithOthers, others={"freeze": freeze})
@click.argument("loaf")
@click.option("--slices", default=1)
def toast(loaf: str, slices: int) -> None:
    """Toast it."""
    click.echo(f"toast {slices} of {loaf}")


@pytest.mark.parametrize(
    ("args", "output"),
    [
        (["rye", "--slices", "2"], "toast 2 of rye"),
        (["--slices", "2", "freeze"], "toast 2 of freeze"),
        (["./freeze"], "toast 1 of ./freeze"),
        (["freeze", "rye"], "freeze rye"),
    ],
)
def test_a_command_with_others_beside_it(args: list[str], output: str) -> None:
    assert CliRunner().invoke(toast, args).output.strip() == output


def test_help_has_options_and_other_commands() -> None:
    told = CliRunner().invoke(toast, ["--help"]).output
    assert "--slices" in told
    assert "freeze  Freeze it." in told


@pytest.mark.parametrize("group", ["questions", "haystack", "judge", "model", "nightly"])
def test_the_first_sentence_of_each_command_is_whole(group: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([group, "--help"]) == 0
    _, _, listed = capsys.readouterr().out.rpartition("Commands:")
    lines = listed.rstrip().splitlines()
    assert lines[-1].endswith(".")
    assert not any(line.endswith("...") for line in lines)
