"""A run on a real Ray cluster: two nodes on this machine's loopback."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.readers.openai_compatible import OpenAICompatibleReader
from niah.runs.execution.cluster_worker import Refused, Worker
from niah.runs.execution.executor import PreparedTrial
from niah.runs.trial import Trial
from niah.strategies.strategy import parse
from tests.loopback import Post, Reply, completion, replying

RAY = Path(sys.executable).with_name("ray")
SUITE = """
haystacks: [essays]
needle_sets: [three-gates]
lengths: [512, 640, 768]
depths: [0, 20, 40, 60, 80, 100]
"""
PLANNED = 36


@dataclass
class Ray:
    """A cluster, node by node."""

    port: int
    folder: Path
    nodes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "RAY_ADDRESS": f"127.0.0.1:{self.port}",
            "RAY_USAGE_STATS_ENABLED": "0",
            # A node that is lost is missed after two seconds, not after half a minute.
            "RAY_health_check_period_ms": "500",
            "RAY_health_check_timeout_ms": "500",
            "RAY_health_check_failure_threshold": "4",
        }

    def start(self, *arguments: str) -> None:
        command = [
            str(RAY),
            "start",
            *arguments,
            "--num-cpus=2",
            "--object-store-memory=100000000",
            "--block",
        ]
        log = (self.folder / f"node-{len(self.nodes)}.log").open("wb")
        self.nodes.append(
            subprocess.Popen(
                command, stdout=log, stderr=log, env=self.environment, cwd=self.folder, start_new_session=True
            )
        )

    def wait_for(self, nodes: int) -> None:
        code = (
            "import ray, sys, time\n"
            "end = time.monotonic() + 300\n"
            "while True:\n"
            "    try:\n"
            "        ray.init(log_to_driver=False, logging_level=50)\n"
            f"        while sum(n['Alive'] for n in ray.nodes()) != {nodes}: time.sleep(0.2)\n"
            "        break\n"
            "    except ConnectionError:\n"
            "        assert time.monotonic() < end\n"
        )
        subprocess.run(
            [sys.executable, "-c", code], env=self.environment, check=True, timeout=300, capture_output=True
        )

    def end_node(self, number: int, how: signal.Signals) -> None:
        os.killpg(self.nodes[number].pid, how)
        self.nodes[number].wait(timeout=300)


def free_port() -> int:
    """A port for the cluster that no test beside this one gets who asks for any free one: those are higher.

    Ray's own workers have the ports below 20,000.
    """
    for port in random.sample(range(20_000, 32_768), 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("none of 100 ports is free")


@pytest.fixture(scope="module")
def ray(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ray]:
    port = free_port()
    # Ray keeps sockets in this folder, whose names may not be long.
    folder = Path(tempfile.mkdtemp(prefix="ray-niah-", dir="/tmp"))
    cluster = Ray(port, folder)
    head = ("--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={folder}/s")
    cluster.start(*head)
    try:
        cluster.wait_for(1)
        cluster.start(f"--address=127.0.0.1:{port}")
        cluster.wait_for(2)
        yield cluster
    finally:
        for node in cluster.nodes:
            if node.poll() is None:
                os.killpg(node.pid, signal.SIGKILL)
        for node in cluster.nodes:
            node.wait(timeout=300)
        shutil.rmtree(folder, ignore_errors=True)


def write_config(folder: Path, reader: str = "smollm2", strategies: str = "[lc, topk@100]") -> None:
    (folder / "grid.yaml").write_text(SUITE)
    (folder / "small.yaml").write_text(f"suite: grid.yaml\nreaders: [{reader}]\nstrategies: {strategies}\n")


def start(folder: Path, ray: Ray, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "niah", "run", "small.yaml", *arguments],
        cwd=folder,
        env=ray.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> str:
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return said


def exported(folder: Path, name: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "niah", "export", name], cwd=folder, capture_output=True, text=True, check=True
    )
    return {record["trial_id"]: record for record in map(json.loads, done.stdout.splitlines())}


def wait_for_prompts(server: Any, count: int) -> None:
    end = time.monotonic() + 300
    while len(server.prompts) < count:
        assert time.monotonic() < end, "the run makes no progress"
        time.sleep(0.02)


def workers(ray: Ray) -> list[int]:
    """Processes that hold one of our workers, on the nodes of this cluster alone."""
    sessions = {node.pid for node in ray.nodes}
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes()
                session = os.getsid(int(entry.name))
            except OSError:
                continue
            if line.startswith(b"ray::Worker") and session in sessions:
                found.append(int(entry.name))
    return found


@pytest.mark.slow
def test_the_cluster_gives_the_same_records(tmp_path: Path, simulated_server: Any, ray: Ray) -> None:
    write_config(tmp_path)
    served = ("--model", "simulated", "--api-base", simulated_server.base_url)
    said = ended(start(tmp_path, ray, *served, "--on", "ray", "--out", "far.sqlite"))
    assert "2 workers on the Ray cluster" in said
    assert len(simulated_server.prompts) == PLANNED
    ended(start(tmp_path, ray, *served, "--out", "near.sqlite"))
    far, near = exported(tmp_path, "far.sqlite"), exported(tmp_path, "near.sqlite")
    assert len(far) == PLANNED
    for record in (*far.values(), *near.values()):
        assert record.pop("latency_s") > 0
    assert far == near


@pytest.mark.slow
def test_the_next_reader_finds_the_cpus_of_the_one_before(
    tmp_path: Path, simulated_server: Any, ray: Ray
) -> None:
    names = ("one", "two", "three")
    readers = ", ".join(f"{{model: {name}, api_base: '{simulated_server.base_url}'}}" for name in names)
    write_config(tmp_path, readers, "[closed-book]")
    said = ended(start(tmp_path, ray, "--on", "ray", "--out", "run.sqlite"))
    assert said.count("2 workers on the Ray cluster") == 3


@pytest.mark.slow
def test_a_worker_that_dies_loses_nothing(tmp_path: Path, simulated_server: Any, ray: Ray) -> None:
    write_config(tmp_path)
    simulated_server.delay_s = 0.5
    served = ("--model", "simulated", "--api-base", simulated_server.base_url, "--concurrency", "4")
    process = start(tmp_path, ray, *served, "--on", "ray", "--out", "run.sqlite")
    wait_for_prompts(simulated_server, 10)
    os.kill(workers(ray)[0], signal.SIGKILL)
    said = ended(process)
    assert "a worker was lost" in said
    assert {record["outcome"] for record in exported(tmp_path, "run.sqlite").values()} == {"scored"}
    # At most what the worker was at, half of the four, is asked again.
    assert PLANNED <= len(simulated_server.prompts) <= PLANNED + 2


@pytest.mark.slow
def test_a_reader_that_is_gone_is_given_up_by_all_workers(tmp_path: Path, ray: Ray) -> None:
    """Each worker waits for it with one short question after another, and the driver's line says so."""
    write_config(tmp_path)
    numbers = count()

    def reply(post: Post) -> Reply | None:
        return Reply(completion("17685")) if next(numbers) < 10 else None

    with replying(reply) as address:
        served = ("--model", "m", "--api-base", f"{address}/v1", "--concurrency", "4")
        process = start(tmp_path, ray, *served, "--on", "ray", "--out", "run.sqlite")
        _, said = process.communicate(timeout=300)
    assert process.returncode == 4, said
    assert said.count("m is asked no further") == 1
    assert "the endpoint answers no short question either" in said
    outcomes = [record["outcome"] for record in exported(tmp_path, "run.sqlite").values()]
    assert outcomes.count("scored") == 10
    assert outcomes.count("reader_error") == 1
    assert outcomes.count("not_run") == PLANNED - 11


@pytest.mark.slow
def test_embedded_readers_read_on_every_node(tmp_path: Path, ray: Ray) -> None:
    write_config(tmp_path, strategies="[closed-book]")
    said = ended(start(tmp_path, ray, "--on", "ray", "--limit", "4", "--out", "run.sqlite"))
    assert "2 workers on the Ray cluster" in said
    outcomes = [record["outcome"] for record in exported(tmp_path, "run.sqlite").values()]
    assert outcomes.count("scored") == 4


def test_texts_that_differ_are_refused(tmp_path: Path, simulated_server: Any) -> None:
    case = Case("three-gates", "essays", 512, 50)
    trial = Trial(sample_of(case), parse("closed-book"), "simulated", 0, 64)

    async def ask() -> tuple[object, object]:
        worker = Worker(
            OpenAICompatibleReader("simulated", simulated_server.base_url), str(tmp_path / "gone")
        )
        try:
            return await worker.prepare(0, trial), await worker.prepare(
                0, replace(trial, sample=replace(trial.sample, fingerprint="other"))
            )
        finally:
            await worker.close()

    same, other = asyncio.run(ask())
    assert isinstance(same, PreparedTrial)
    assert isinstance(other, Refused)
    assert "other texts of three-gates, essays or u-niah" in other.message


@pytest.mark.slow
def test_a_node_that_is_lost_loses_nothing(tmp_path: Path, simulated_server: Any, ray: Ray) -> None:
    """The last test of this file: the node does not come back."""
    write_config(tmp_path)
    simulated_server.delay_s = 0.5
    served = ("--model", "simulated", "--api-base", simulated_server.base_url, "--concurrency", "4")
    process = start(tmp_path, ray, *served, "--on", "ray", "--out", "run.sqlite")
    wait_for_prompts(simulated_server, 10)
    ray.end_node(1, signal.SIGKILL)
    ended(process)
    records = exported(tmp_path, "run.sqlite").values()
    assert [record["outcome"] for record in records] == ["scored"] * PLANNED
    assert PLANNED <= len(simulated_server.prompts) <= PLANNED + 2


def test_no_cluster_is_one_clear_line(tmp_path: Path, simulated_server: Any) -> None:
    write_config(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "niah", "run", "small.yaml", "--on", "ray", "--out", "run.sqlite"],
        cwd=tmp_path,
        env={**os.environ, "RAY_ADDRESS": "127.0.0.1:1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 2
    assert "there is no Ray cluster to join (127.0.0.1:1)" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run.sqlite").exists()
