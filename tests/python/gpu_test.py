"""Arrays on a GPU: their description, which needs no GPU, and trees of them against those of the host."""
import ctypes
import gc
import glob
import sys
import weakref

import numpy as np
import pytest

import pollard_morphology as pollard

CUDA = next((device for device in pollard.devices() if device["name"] == "cuda"), None)
REASON = "built without CUDA" if CUDA is None else CUDA["unusable"]
needs_gpu = pytest.mark.skipif(bool(REASON), reason=REASON or "there is a GPU")


class Described:
    """An object with the CUDA array interface over any address."""

    def __init__(self, shape, typestr="|u1", address=4096, **fields):
        self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "data": (address, False), "version": 3,
                                         **fields}


class OnlyDlpack:
    """An array with DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32"])
@pytest.mark.parametrize("shape", [(3, 4), (1, 1), (2, 3, 4)])
def test_arrays_are_described_both_ways(dtype, shape):
    typestr = np.dtype(dtype).str
    strides = tuple(np.empty(shape, dtype).strides)
    for given in [{}, {"strides": None}, {"strides": strides}, {"stream": 2, "mask": None}]:
        array = pollard.DeviceArray(Described(shape, typestr, 8192, **given))
        again = pollard.DeviceArray(OnlyDlpack(array))
        for each in (array, again, pollard.DeviceArray(again)):
            assert each.shape == shape and each.dtype == dtype
            fields = each.__cuda_array_interface__
            assert fields["data"] == (8192, False) and fields["typestr"] == typestr and fields["shape"] == shape
            assert fields["version"] == 3 and fields["strides"] is None and fields["stream"] is None
            assert each.__dlpack_device__() == (2, 0)


@pytest.mark.parametrize("shape, strides", [
    ((1, 4), (100, 1)), ((3, 1), (1, 7)), ((1, 1), (0, 0)), ((2, 1, 4), (4, 9, 1)),
])
def test_the_stride_of_an_axis_with_one_pixel_does_not_matter(shape, strides):
    assert pollard.DeviceArray(Described(shape, strides=strides)).shape == shape


def test_arrays_keep_their_source_until_the_last_tensor_is_gone():
    source = Described((3, 4))
    seen = weakref.ref(source)
    array = pollard.DeviceArray(source)
    tensor, other = array.__dlpack__(), pollard.DeviceArray(OnlyDlpack(array))
    del source, array
    gc.collect()
    assert seen() is not None
    del other
    gc.collect()
    assert seen() is not None
    del tensor  # which no library took
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize("source, message", [
    (Described((3,)), "1 axes"),
    (Described((3, 0)), "no pixels"),
    (Described((3, -1)), "no pixels"),
    (Described((1 << 31, 1 << 31, 1 << 31)), "more than 4294967295 pixels"),
    (Described((3, 4), "<f4"), "the values are <f4, not uint8 or uint16"),
    (Described((3, 4), ">u2"), "the values are >u2"),
    (Described((3, 4), "<u8"), "the values are <u8"),
    (Described((3, 4), strides=(1, 3)), "not contiguous"),
    (Described((3, 4), strides=(8, 1)), "not contiguous"),
    (Described((3, 4), mask=1), "with a mask"),
    (Described("size"), "another type"),
    (Described((3, 1 << 70)), "another type"),
    (Described((3, 4), data=()), "lacks a field"),
    (Described((3, 4), data=(-1, False)), "another type"),
    (type("Empty", (), {"__cuda_array_interface__": {}})(), "lacks a field"),
    (np.zeros((3, 4), np.uint8), "not that of an NVIDIA GPU"),
])
def test_other_arrays_are_refused_with_one_line(source, message):
    with pytest.raises(ValueError, match=message) as caught:
        pollard.DeviceArray(source)
    assert "\n" not in str(caught.value)


def test_calls_for_arrays_on_the_host_say_so():
    array = Described((3, 4))
    for call in (pollard.area_opening, pollard.reconstruction, pollard.label, pollard.objects):
        with pytest.raises((ValueError, TypeError)):
            call(array, array) if call is pollard.reconstruction else call(array)
    with pytest.raises(ValueError, match="memory of a GPU"):
        pollard.area_opening(array)
    with pytest.raises(ValueError, match="for the CPU"):
        pollard.max_tree(array, device="cpu")
    with pytest.raises(ValueError, match="device: 'tpu'"):
        pollard.max_tree(array, device="tpu")
    with pytest.raises(ValueError, match="mask"):
        pollard.max_tree(array, mask=np.ones((3, 4), bool))


@pytest.mark.skipif(not REASON, reason="there is a GPU")
def test_without_a_gpu_there_is_one_error():
    with pytest.raises(RuntimeError, match="cuda") as caught:
        pollard.max_tree(Described((3, 4)))
    assert "\n" not in str(caught.value)


class Runtime:
    """Memory of the GPU by the runtime library of CUDA."""

    def __init__(self):
        names = ["libcudart.so", *sorted(glob.glob("/usr/local/cuda*/lib64/libcudart.so*"))]
        for name in names:
            try:
                self.library = ctypes.CDLL(name)
                return
            except OSError:
                continue
        pytest.skip("no libcudart.so")

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        assert status == 0, f"{name}: {status}"

    def array(self, values):
        """A copy on the GPU."""
        address = ctypes.c_void_p()
        self.call("cudaMalloc", ctypes.byref(address), ctypes.c_size_t(values.nbytes))
        self.call("cudaMemcpy", address, ctypes.c_void_p(values.ctypes.data), ctypes.c_size_t(values.nbytes), 1)
        array = Described(values.shape, values.dtype.str, address.value)
        weakref.finalize(array, self.call, "cudaFree", address)
        return array

    def host(self, array):
        """The values of an array on the GPU."""
        fields = array.__cuda_array_interface__
        values = np.empty(fields["shape"], fields["typestr"])
        self.call("cudaMemcpy", ctypes.c_void_p(values.ctypes.data), ctypes.c_void_p(fields["data"][0]),
                  ctypes.c_size_t(values.nbytes), 2)
        return values


@pytest.fixture(scope="module")
def runtime():
    return Runtime()


@needs_gpu
@pytest.mark.parametrize("dtype", ["u1", "u2"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (300, 401), (20, 30, 40)])
@pytest.mark.parametrize("kind", ["max", "min"])
def test_trees_equal_those_of_arrays_on_the_host(runtime, dtype, shape, kind):
    image = np.random.default_rng(5).integers(0, 250 if dtype == "u1" else 60000, shape).astype(dtype)
    host = pollard.max_tree(image, 1, kind, "cpu")
    for given in (runtime.array(image), OnlyDlpack(pollard.DeviceArray(runtime.array(image)))):
        tree = pollard.max_tree(given, 1, kind)
        assert tree.device == "cuda" and tree.shape == shape and tree.num_nodes == host.num_nodes
        for output in ("filtered", "residue", "mask"):
            result = tree.filter("area >= 5", output=output)
            assert isinstance(result, pollard.DeviceArray)
            np.testing.assert_array_equal(runtime.host(result).astype(image.dtype if output != "mask" else bool),
                                          host.filter("area >= 5", output=output))
        labels, count = tree.labels("area >= 5", return_num=True)
        expected, number = host.labels("area >= 5", return_num=True)
        np.testing.assert_array_equal(runtime.host(labels), expected)
        assert count == number
        # The other calls have their results on the host.
        for name in ("parent", "level", "nodes", "subtree_end", "canonical"):
            np.testing.assert_array_equal(getattr(tree, name), getattr(host, name))
        np.testing.assert_array_equal(tree["area"], host["area"])
        np.testing.assert_array_equal(tree.reconstruct(tree["area"] >= 5), host.filter("area >= 5"))
        np.testing.assert_array_equal(tree.h_transform(9), host.h_transform(9))
        for differential in (False, True):
            np.testing.assert_array_equal(tree.profile("area", [2, 5], differential=differential),
                                          host.profile("area", [2, 5], differential=differential))
        assert pollard.max_tree(tree.filter("area >= 5"), 1, kind).num_nodes <= tree.num_nodes


@needs_gpu
def test_results_outlive_the_tree_and_the_source(runtime):
    image = np.random.default_rng(6).integers(0, 250, (500, 600)).astype("u1")
    source = runtime.array(image)
    tree = pollard.max_tree(source)
    del source
    gc.collect()
    result = tree.filter("area >= 20")
    expected = pollard.max_tree(image, device="cpu").filter("area >= 20")
    del tree
    gc.collect()
    np.testing.assert_array_equal(runtime.host(result), expected)


@needs_gpu
def test_results_leave_no_memory_behind(runtime):
    tree = pollard.max_tree(runtime.array(np.random.default_rng(7).integers(0, 250, (1000, 1000)).astype("u1")))

    def free():
        left, total = ctypes.c_size_t(), ctypes.c_size_t()
        runtime.call("cudaMemGetInfo", ctypes.byref(left), ctypes.byref(total))
        return left.value

    for count in (20, 300):
        for _ in range(count):
            tree.filter("area >= 9")
            tree.labels("area >= 9")
        if count == 20:
            before = free()
    assert before - free() < 64 << 20


@needs_gpu
def test_memory_of_the_host_is_refused():
    values = np.zeros((8, 8), np.uint8)
    with pytest.raises(ValueError, match="not that of a GPU"):
        pollard.max_tree(Described(values.shape, "|u1", values.ctypes.data))
    with pytest.raises(ValueError, match="32 bits"):
        pollard.max_tree(Described(values.shape, "<u4", values.ctypes.data))


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-rs", "-p", "no:cacheprovider", __file__]))
