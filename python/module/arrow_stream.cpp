#include "bindings.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace pollard::python {

namespace py = pybind11;

namespace {

// Structures of Arrow's C data and stream interfaces: https://arrow.apache.org/docs/format/CStreamInterface.html
constexpr std::int64_t kNullable = 2;

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
    int (*get_next)(ArrowArrayStream*, ArrowArray*);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};

constexpr const char* kStreamName = "arrow_array_stream";

/// Drops a reference from any thread.
struct Dropped {
    void operator()(PyObject* object) const {
        if (Py_IsInitialized() != 0) {
            const py::gil_scoped_acquire held;
            Py_DECREF(object);
        }
    }
};

struct Column {
    std::string name;
    std::string format;
    std::unique_ptr<PyObject, Dropped> owner; ///< of the samples
    const void* samples = nullptr;
};

struct Columns {
    std::int64_t rows = 0;
    std::vector<Column> all;
};
using SharedColumns = std::shared_ptr<const Columns>;

/// What a schema or an array keeps until it is released. A consumer may move a child out of its parent, which then
/// ends before the child, so that each has its own share of the columns.
template <class Arrow> struct Kept {
    SharedColumns columns;
    std::array<const void*, 2> buffers{};
    std::vector<Arrow> children;
    std::vector<Arrow*> pointers;
};

template <class Arrow> void release(Arrow* one) {
    auto* const kept = static_cast<Kept<Arrow>*>(one->private_data);
    for (Arrow& child : kept->children) {
        if (child.release != nullptr) {
            child.release(&child);
        }
    }
    one->release = nullptr;
    delete kept; // NOLINT(cppcoreguidelines-owning-memory): the interface has no owners
}

/// Lets @p one own what it keeps, and its children.
template <class Arrow> Kept<Arrow>& keep(Arrow& one, const SharedColumns& columns, std::size_t children) {
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): release() deletes it
    auto* const kept = new Kept<Arrow>{columns, {}, std::vector<Arrow>(children), {}};
    for (Arrow& child : kept->children) {
        kept->pointers.push_back(&child);
    }
    one.n_children = static_cast<std::int64_t>(children);
    one.children = kept->pointers.data();
    one.release = &release<Arrow>;
    one.private_data = kept;
    return *kept;
}

void describe(ArrowSchema& one, const SharedColumns& columns, const char* name, const char* format,
              std::size_t children) {
    one = {};
    one.name = name;
    one.format = format;
    one.flags = kNullable;
    Kept<ArrowSchema>& kept = keep(one, columns, children);
    for (std::size_t i = 0; i < children; ++i) {
        describe(kept.children[i], columns, columns->all[i].name.c_str(), columns->all[i].format.c_str(), 0);
    }
}

/// @param column whose samples the array has; null: the array of all columns
void share(ArrowArray& one, const SharedColumns& columns, const Column* column) {
    one = {};
    one.length = columns->rows;
    Kept<ArrowArray>& kept = keep(one, columns, column == nullptr ? columns->all.size() : 0);
    one.n_buffers = column == nullptr ? 1 : 2; // the first one is for rows without a value, which no column has
    kept.buffers = {nullptr, column == nullptr ? nullptr : column->samples};
    one.buffers = kept.buffers.data();
    for (std::size_t i = 0; i < kept.children.size(); ++i) {
        share(kept.children[i], columns, &columns->all[i]);
    }
}

struct Stream {
    SharedColumns columns;
    bool isRead = false;
};

Stream& stateOf(ArrowArrayStream* stream) { return *static_cast<Stream*>(stream->private_data); }

/// Calls @p fill, and turns a lack of memory into a number of errno.
template <class Fill> int filled(const Fill& fill) {
    try {
        fill();
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    }
    return 0;
}

int schemaOf(ArrowArrayStream* stream, ArrowSchema* out) {
    const SharedColumns& columns = stateOf(stream).columns;
    return filled([&] { describe(*out, columns, "", "+s", columns->all.size()); });
}

int nextOf(ArrowArrayStream* stream, ArrowArray* out) {
    *out = {};
    Stream& state = stateOf(stream);
    if (std::exchange(state.isRead, true)) {
        return 0; // an array without release() ends the stream
    }
    return filled([&] { share(*out, state.columns, nullptr); });
}

const char* errorOf(ArrowArrayStream* /*stream*/) { return nullptr; }

void releaseStream(ArrowArrayStream* stream) {
    delete static_cast<Stream*>(stream->private_data); // NOLINT(cppcoreguidelines-owning-memory)
    stream->release = nullptr;
}

void dropCapsule(PyObject* capsule) {
    const std::unique_ptr<ArrowArrayStream> stream(
        static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, kStreamName)));
    if (stream->release != nullptr) {
        stream->release(stream.get());
    }
}

/// A stream of one batch over the memory of arrays.
/// @param columns names, formats of Arrow, and arrays that have the samples in this format
py::capsule arrowStream(std::int64_t rows,
                        const std::vector<std::tuple<std::string, std::string, py::array>>& columns) {
    auto shared = std::make_shared<Columns>();
    shared->rows = rows;
    for (const auto& [name, format, samples] : columns) {
        shared->all.push_back(
            {name, format, std::unique_ptr<PyObject, Dropped>(py::object(samples).release().ptr()), samples.data()});
    }
    auto state = std::make_unique<Stream>(Stream{std::move(shared)});
    auto stream =
        std::make_unique<ArrowArrayStream>(ArrowArrayStream{&schemaOf, &nextOf, &errorOf, &releaseStream, state.get()});
    py::capsule capsule(stream.get(), kStreamName, &dropCapsule);
    (void)state.release();  // NOLINT(bugprone-unused-return-value): the stream owns it,
    (void)stream.release(); // NOLINT(bugprone-unused-return-value): and the capsule the stream
    return capsule;
}

} // namespace

void bindArrowStreams(py::module_& module) {
    module.def("arrow_stream", &arrowStream, py::arg("rows"), py::arg("columns"));
}

} // namespace pollard::python
