"""Arrays of CuPy, PyTorch and JAX on a GPU: the same results as on the host, and no pixel passes through the host."""
import importlib
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

import pollard_morphology as pollard

CUDA = next((device for device in pollard.devices() if device["name"] == "cuda"), None)
REASON = "built without CUDA" if CUDA is None else CUDA["unusable"]
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON or "there is a GPU")


class Cupy:
    def __init__(self):
        self.cupy = pytest.importorskip("cupy")

    def put(self, values):
        return self.cupy.asarray(values)

    def take(self, array):
        return self.cupy.asarray(array)

    def get(self, array):
        return self.cupy.asnumpy(array)


class Torch:
    def __init__(self):
        self.torch = pytest.importorskip("torch")

    def put(self, values):
        return self.torch.from_numpy(values).cuda()

    def take(self, array):
        return self.torch.from_dlpack(array)

    def get(self, array):
        return array.cpu().numpy()


class Jax:
    def __init__(self):
        self.jax = pytest.importorskip("jax")

    def put(self, values):
        return self.jax.device_put(values)

    def take(self, array):
        return importlib.import_module("jax.dlpack").from_dlpack(array)

    def get(self, array):
        return np.asarray(array)


@pytest.fixture(params=[Cupy, Torch, Jax], ids=lambda library: library.__name__.lower())
def library(request):
    return request.param()


def grey_image(dtype, shape=(401, 300), seed=5):
    return np.random.default_rng(seed).integers(0, 250 if dtype == "u1" else 60000, shape).astype(dtype)


@pytest.mark.parametrize("dtype", ["u1", "u2"])
@pytest.mark.parametrize("shape", [(401, 300), (20, 30, 40)])
def test_results_are_those_of_the_host(library, dtype, shape):
    image = grey_image(dtype, shape)
    host = pollard.max_tree(image, device="cpu")
    tree = pollard.max_tree(library.put(image))
    assert tree.device == "cuda" and tree.num_nodes == host.num_nodes
    np.testing.assert_array_equal(library.get(library.take(tree.filter("area >= 5"))), host.filter("area >= 5"))
    np.testing.assert_array_equal(library.get(library.take(tree.labels("area >= 5"))), host.labels("area >= 5"))


def test_results_go_into_further_work_of_the_library(library):
    image = grey_image("u2", seed=6)
    tree = pollard.max_tree(library.put(image))
    twice = pollard.max_tree(library.take(tree.filter("area >= 5"))).filter("area >= 50")
    host = pollard.max_tree(pollard.max_tree(image, device="cpu").filter("area >= 5"), device="cpu")
    np.testing.assert_array_equal(library.get(library.take(twice)), host.filter("area >= 50"))


def test_work_that_is_queued_on_another_stream_is_waited_for():
    cupy = pytest.importorskip("cupy")
    image = grey_image("u1", (2000, 2000))
    expected = pollard.max_tree(255 - image, device="cpu").filter("area >= 9")
    with cupy.cuda.Stream(non_blocking=True):
        array = cupy.asarray(image)
        for _ in range(201):  # an odd number of inversions, not done when the tree is asked for
            array = 255 - array
        result = cupy.asarray(pollard.max_tree(array).filter("area >= 9"))
        np.testing.assert_array_equal(cupy.asnumpy(result), expected)


def copied(work):
    """Bytes that pass between the host and the GPU, of all code of the process, by PyTorch's profiler."""
    torch = pytest.importorskip("torch")
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        work()
        torch.cuda.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.json"
        profile.export_chrome_trace(str(trace))
        events = json.loads(trace.read_text())["traceEvents"]
    moves = [event for event in events if event.get("cat") == "gpu_memcpy"]
    return sum(move["args"]["bytes"] for move in moves if "HtoD" in move["name"] or "DtoH" in move["name"])


@pytest.mark.parametrize("library", [Cupy, Torch], ids=lambda library: library.__name__.lower(), indirect=False)
def test_no_pixel_passes_through_the_host(library):
    library = library()
    image = grey_image("u2", (2048, 2048))
    array = library.put(image)
    pollard.max_tree(array).filter("area >= 20")  # what is loaded once
    results = []

    def work():
        tree = pollard.max_tree(array)
        results.extend([library.take(tree.filter("area >= 20")), library.take(tree.labels("area >= 20"))])

    passed = copied(work)
    assert passed < image.nbytes / 100, f"{passed} bytes"
    assert copied(lambda: library.get(results[0])) >= image.nbytes  # the count works
    print(f"{image.nbytes} bytes of pixels, {passed} bytes between host and GPU")


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-rs", "-s", "-p", "no:cacheprovider", __file__]))
