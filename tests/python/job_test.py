"""Jobs beside Python: interrupts, threads, forks, memory."""
import gc
import importlib.util
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import pollard_morphology as pollard

INTERRUPTED = """
import os, signal, threading, time
import numpy as np
import pollard_morphology as pollard
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


@pytest.mark.parametrize("call", [
    lambda image: pollard.max_tree(image), lambda image: pollard.label(image > 40000),
    lambda image: pollard.Recipe.preset("uneven-background")(image)])
def test_other_threads_cancel_jobs(call):
    image = np.random.default_rng(1).integers(0, 65535, (2500, 2500), dtype=np.uint16)
    job, ended = pollard.Job(), []

    def work():
        with pytest.raises(pollard.Cancelled, match="is cancelled"), job:
            while True:
                call(image)
        ended.append(time.monotonic())
        with job, pytest.raises(pollard.Cancelled):
            pollard.label(image[:5, :5] > 0)  # later calls, too
        pollard.label(image[:5, :5] > 0)  # but none outside the job

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    begin = time.monotonic()
    job.cancel()
    thread.join(60)
    assert job.cancelled and 0 <= job.progress <= 1
    assert ended and ended[0] - begin < 0.1 * max(1.0, os.getloadavg()[0] / os.cpu_count())


def test_jobs_are_nested_and_entered_once():
    image = np.zeros((5, 5), np.uint8)
    outer, inner = pollard.Job(), pollard.Job()
    inner.cancel()
    with outer:
        with inner, pytest.raises(pollard.Cancelled):
            pollard.max_tree(image)
        pollard.max_tree(image)
        with pytest.raises(ValueError, match="entered already"), outer:
            pass
        with pytest.raises(ValueError, match="left by the thread"):
            inner.__exit__(None, None, None)
    assert not outer.cancelled


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
    tree = pollard.max_tree(image, device="cpu")  # the child cannot use the GPU
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


FORKED_DURING_A_CALL = """
import os, threading
import numpy as np
import pollard_morphology as pollard
image = np.random.default_rng(0).integers(0, 60000, (700, 700)).astype(np.uint16)
tree, stop, begun = pollard.max_tree(image, device="cpu"), threading.Event(), threading.Event()

def work():
    while not stop.is_set():
        begun.set()
        tree.filter("area >= 9 and height > 5", "viterbi")

thread = threading.Thread(target=work)
thread.start()
begun.wait()
ends = []
for _ in range(6):
    child = os.fork()
    if child == 0:
        try:
            tree.filter("area >= 9")
            os._exit(1)
        except RuntimeError as problem:
            os._exit(2 if "forked" in str(problem) else 3)
    ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
stop.set()
thread.join()
tree.filter("area >= 9")
print(sorted(set(ends)))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_trees_in_use_at_a_fork_are_refused_in_the_child():
    """A child does not wait for a thread that it does not have; the tree is whole where no call was at work."""
    done = subprocess.run([sys.executable, "-c", FORKED_DURING_A_CALL], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in ("[2]", "[1, 2]")


FIRST_CALLS = """
import builtins, threading, time
import numpy as np
import pollard_morphology as pollard

load = builtins.__import__

def slow(name, *arguments, **named):
    if name.startswith(("numpy.core", "numpy._core")):
        time.sleep(0.2)  # the other threads run
    return load(name, *arguments, **named)

builtins.__import__ = slow
image = np.arange(80 * 90, dtype=np.uint16).reshape(80, 90)
calls = [lambda: pollard.max_tree(image)["area"], lambda: pollard.area_opening(image, 5),
         lambda: pollard.label(image > 9), lambda: pollard.Recipe.preset(pollard.presets()[0])(image)]
barrier = threading.Barrier(4)

def first(call):
    barrier.wait()
    call()

threads = [threading.Thread(target=first, args=(call,)) for call in calls]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_first_calls_of_several_threads_end():
    """Whatever a first call imports, it holds nothing that another first call waits for."""
    processes = [subprocess.Popen([sys.executable, "-c", FIRST_CALLS]) for _ in range(8)]
    try:
        assert [process.wait(60) for process in processes] == [0] * len(processes)
    finally:
        for process in processes:
            process.kill()


IN_A_SUBINTERPRETER = """
import sys
sys.path = %r
try:
    import pollard_morphology
except ImportError as problem:
    print("refused:", problem, flush=True)
"""


@pytest.mark.parametrize("before", ["", "import pollard_morphology"])
def test_subinterpreters_are_refused(before):
    """Whether the package is new in the process, or the main interpreter has it."""
    module = next((name for name in ("_xxsubinterpreters", "_interpreters") if importlib.util.find_spec(name)), None)
    if module is None:
        pytest.skip("this Python has no module for subinterpreters")
    script = (f"import {module} as interpreters\n{before}\nnumber = interpreters.create()\n"
              f"interpreters.run_string(number, {IN_A_SUBINTERPRETER % (sys.path,)!r})\ninterpreters.destroy(number)")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.stdout.startswith("refused:"), done.stderr


def uses_of(array):
    """Whether the memory of an array is read by a tree: a residue follows the array."""
    tree = pollard.max_tree(array, device="cpu")
    flat = array.reshape(-1)
    before = int(flat[0])
    flat[0] = before ^ 1
    residue = tree.filter(output="residue")
    flat[0] = before
    return residue.reshape(-1)[0] == 1


@pytest.mark.parametrize("dtype", ["u1", "u2"])
@pytest.mark.parametrize("shape", [(40, 50), (300, 400), (3, 20, 30)])
def test_trees_read_the_memory_of_arrays(dtype, shape):
    image = np.random.default_rng(3).integers(2, 200, shape).astype(dtype)
    assert uses_of(image)
    assert not uses_of(image[..., ::2])
    assert not uses_of(image.astype(np.dtype(dtype).newbyteorder())) or dtype == "u1"
    shifted = np.empty(image.nbytes + 1, np.uint8)[1:].view(dtype).reshape(shape)  # not aligned to its type
    shifted[...] = image
    assert uses_of(shifted) == (dtype == "u1")
    tree = pollard.max_tree(image, device="cpu", copy=True)
    expected = image.copy()
    image[...] = 0
    np.testing.assert_array_equal(tree.filter(), expected)
    assert not tree.filter(output="residue").any()


def test_nodes_stay_when_the_array_changes():
    image = np.random.default_rng(3).integers(0, 200, (60, 70), dtype=np.uint8)
    tree, expected = pollard.max_tree(image), pollard.max_tree(image, copy=True)
    image[...] = np.random.default_rng(4).integers(0, 255, image.shape)
    for name in ("mean", "volume", "variance", "elongation", "entropy"):
        np.testing.assert_array_equal(tree[name], expected[name])
    for criterion in ("area >= 9", "mean < 100"):
        np.testing.assert_array_equal(tree.filter(criterion), expected.filter(criterion))
        np.testing.assert_array_equal(tree.labels(criterion), expected.labels(criterion))


def test_trees_keep_arrays_alive_and_free_them():
    image = np.full((200, 300), 7, np.uint8)
    image[50:60, 50:60] = 9
    image.flags.writeable = False
    uses = sys.getrefcount(image)
    trees = [pollard.max_tree(image) for _ in range(3)]
    assert sys.getrefcount(image) > uses
    filtered = trees[0].filter("area >= 5")
    assert filtered.flags.writeable and not image.flags.writeable
    del trees
    gc.collect()
    assert sys.getrefcount(image) == uses
    with pytest.raises(ValueError):
        pollard.max_tree(image, mask=np.ones((2, 2), bool))
    gc.collect()
    assert sys.getrefcount(image) == uses
    tree = pollard.max_tree(image.copy())  # the array has no other owner
    gc.collect()
    np.testing.assert_array_equal(tree.filter("area >= 5"), filtered)
    result = pollard.Recipe('{"pollard_recipe": 1, "name": "objects", "steps": '
                            '[{"id": "objects", "version": 1, "parameters": {}}]}')(image)
    assert result.flags.writeable and not np.shares_memory(result, image)


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
