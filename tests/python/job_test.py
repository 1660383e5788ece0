"""Jobs beside Python: interrupts, threads, forks, memory."""
import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import pollard

INTERRUPTED = """
import os, signal, threading, time
import numpy as np
import pollard
image = np.random.default_rng(1).integers(0, 65535, ({side}, {side}), dtype=np.uint16)
{before}
sent = []
def send():
    time.sleep({delay})
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send).start()
try:
    while True:
        {call}
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""


@pytest.mark.parametrize("before, call", [
    ("", "pollard.max_tree(image)"),
    ("tree = pollard.max_tree(image)", "tree.filter('area >= 100')"),
    ("", "pollard.label(image > 40000)"),
    ("", "pollard.morphology.area_opening(image)"),
    ("recipe = pollard.Recipe.preset(pollard.presets()[0])", "recipe(image)"),
])
def test_interrupts_stop_the_work(before, call):
    script = INTERRUPTED.format(side=3000, delay=1.0, before=before, call=call)
    latencies = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
        assert done.stdout, done.stderr
        latencies.append(float(done.stdout))
    # The promise is 100 ms; other processes of the machine take their part.
    assert min(latencies) < 0.1 * max(1.0, os.getloadavg()[0] / os.cpu_count()), latencies


def test_handlers_of_signals_may_raise_other_exceptions():
    class Stop(Exception):
        pass

    def stop(*_):
        raise Stop

    image = np.random.default_rng(1).integers(0, 65535, (2000, 2000), dtype=np.uint16)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Stop):
            while True:
                pollard.max_tree(image)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert pollard.max_tree(image[:50, :50]).num_nodes > 1


def test_python_runs_beside_the_work():
    image = np.random.default_rng(1).integers(0, 65535, (1500, 1500), dtype=np.uint16)
    count, finished = 0, threading.Event()

    def work():
        pollard.max_tree(image)
        finished.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not finished.is_set():
        count += 1
        time.sleep(0.001)
    thread.join()
    assert count > 5


def test_threads_share_trees():
    rng = np.random.default_rng(1)
    image = rng.integers(0, 255, (200, 200), dtype=np.uint8)
    tree = pollard.max_tree(image)
    expected = [tree.filter(f"area >= {k}") for k in range(1, 9)]
    problems = []

    def work(number):
        for round_ in range(30):
            k = (number + round_) % 8
            if not np.array_equal(tree.filter(f"area >= {k + 1}"), expected[k]):
                problems.append((number, round_))
            tree[["area", "height", "volume", "elongation"][k % 4]]  # pylint: disable=expression-not-assigned
            pollard.area_opening(image, k)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_processes_work():
    image = np.random.default_rng(1).integers(0, 255, (400, 400), dtype=np.uint8)
    tree = pollard.max_tree(image)
    expected = pollard.area_opening(image, 20)
    child = os.fork()
    if child == 0:
        same = np.array_equal(pollard.area_opening(image, 20), expected) and tree.filter("area >= 5").shape == (400, 400)
        os._exit(0 if same else 1)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the forked process does not end")


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_calls_leave_no_memory_behind():
    image = np.random.default_rng(1).integers(0, 255, (64, 64), dtype=np.uint8)
    recipe = pollard.Recipe.preset(pollard.presets()[0])

    def calls(count):
        for i in range(count):
            tree = pollard.max_tree(image, mask=image > 3)
            tree.filter("area >= 5 and height > 3")
            tree["area"], tree.nodes, tree.level  # pylint: disable=pointless-statement
            tree.labels("area >= 5")
            with pytest.raises(ValueError):
                tree.filter("area is big")
            if i % 10 == 0:
                pollard.area_opening(image.astype(float), 5)
                pollard.objects(image > 100, image)
                recipe(image)
        gc.collect()

    calls(500)
    before = resident()
    calls(10000)
    assert resident() - before < 8 << 20
