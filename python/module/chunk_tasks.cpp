#include "chunk_tasks.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "job.hpp"
#include "value_mappings.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "chunks/chunked_filter.hpp"
#include "chunks/image_chunks.hpp"
#include "chunks/merge/merge_parts.hpp"
#include "engine/engine_registry.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace pollard::python {

namespace {

using Bytes = std::vector<std::byte>;

std::span<const std::byte> spanOf(const py::bytes& bytes) {
    const std::string_view text = bytes;
    return std::as_bytes(std::span(text.data(), text.size()));
}

py::bytes bytesOf(const Bytes& memory) {
    return {reinterpret_cast<const char*>(memory.data()), static_cast<py::ssize_t>(memory.size())};
}

RecordSource sourceOf(const py::bytes& bytes, std::string name) { return {spanOf(bytes), std::move(name)}; }

/// The box with the adjacent rows and columns of its slices, as build() takes it.
Extent surroundingsOf(const ChunkBox& box, const Extent& whole) {
    const auto side = [](std::uint32_t first, std::uint32_t count, std::uint32_t all) {
        return std::min(all, first + count + 1) - (first - std::min(first, 1U));
    };
    return {side(box.x, box.extent.width, whole.width), side(box.y, box.extent.height, whole.height),
            box.extent.slices};
}

std::shared_ptr<const Image> chunkImage(const py::array& levels, const Extent& expected, PixelType type) {
    const std::shared_ptr<const Image> image = imageOf(levels, "chunk");
    if (image->extent() != expected || image->type() != type) {
        throw Error(ErrorCode::invalidArgument, "chunk: has another shape or type than the job says");
    }
    return image;
}

} // namespace

std::string ChunkTasks::plan(const ChunkArguments& request) {
    const Extent whole = extentOf(request.shape, "image");
    const ChunkGrid grid(whole, extentOf(request.chunk, "chunk"));
    const FilterSpec filter = filterOf(request.filter, request.size.has_value(), whole.isVolume());
    if (request.mapping && !request.mapping->isProportional() && needsProportionalInChunks(filter)) {
        throw Error(ErrorCode::invalidArgument,
                    "image: the filter takes distances of values, and the values are real numbers or spread over more "
                    "than 65536 integers; scale them to uint16, or compute the array first");
    }
    PartJob job = partJob(grid, request.bits == 8 ? PixelType::u8 : PixelType::u16, request.kind,
                          neighboursIn(request.shape.size(), whole, request.connectivity),
                          inLevelsOfChunks(filter, {request.size, request.mapping, whole.isVolume()}));
    if (job.values.any()) {
        throw Error(ErrorCode::invalidArgument,
                    "filter: depth, dynamics, extinction values and prominent depend on the whole tree; compute the "
                    "array first");
    }
    job.measureValues(request.mapping);
    return textOf(job, 0);
}

ChunkTasks::ChunkTasks(const std::string& text) : job_(parsePartJob(text).job), identity_(hashOf(text)) {}

ChunkImage ChunkTasks::imageOfChunk(std::uint64_t chunk, const py::array& levels,
                                    const std::optional<py::array>& around) const {
    if (chunk >= job_.grid.count()) {
        throw Error(ErrorCode::invalidArgument, "chunk: " + std::to_string(chunk) + ": is not in the grid");
    }
    const ChunkBox box = job_.grid.boxOf(chunk);
    ChunkImage image{chunk, chunkImage(levels, box.extent, job_.type), nullptr};
    if (needsSurroundings()) {
        if (!around) {
            throw Error(ErrorCode::invalidArgument, "chunk: needs the pixels around it");
        }
        image.surroundings = chunkImage(*around, surroundingsOf(box, job_.grid.whole()), job_.type);
    }
    return image;
}

void ChunkTasks::onTree(ChunkImage image, const std::function<void(const ChunkTree&, const JobControl&)>& work) const {
    runJob(image.image->extent().pixelCount(), [&](const JobControl& control) {
        onDevice("auto", [&](Engine& engine) {
            const std::unique_ptr<Session> session = engine.openSession({});
            requireMemory(engine, session->leastTreeBytes(*image.image), image.image->extent());
            work(ChunkTree(job_, image, *session, {}, control), control);
        });
    });
}

py::bytes ChunkTasks::build(std::uint64_t chunk, const py::array& levels,
                            const std::optional<py::array>& around) const {
    Bytes memory;
    onTree(imageOfChunk(chunk, levels, around), [&](const ChunkTree& tree, const JobControl& control) {
        Part part = tree.part(control);
        memory.clear();
        writePart(memory, identity_, canBeCut(job_) ? cutPart(job_, part).part : std::move(part));
    });
    return bytesOf(memory);
}

Part ChunkTasks::partOf(const py::bytes& bytes) const { return readPart(sourceOf(bytes, "part"), identity_, job_); }

py::tuple ChunkTasks::merge(const std::vector<py::bytes>& parts) const {
    std::vector<Part> inputs;
    std::ranges::transform(parts, std::back_inserter(inputs), [&](const py::bytes& each) { return partOf(each); });
    Bytes part;
    Bytes step;
    runJob(kLongJob, [&](const JobControl& control) {
        std::vector<const Part*> given;
        std::ranges::transform(inputs, std::back_inserter(given), [](const Part& each) { return &each; });
        MergeStep made;
        Part merged = mergeParts(job_, given, made, control);
        if (canBeCut(job_)) {
            cutMerged(job_, merged, made);
        }
        writePart(part, identity_, merged);
        writeStep(step, identity_, made);
    });
    return py::make_tuple(bytesOf(part), bytesOf(step));
}

PartResults ChunkTasks::resultsIn(const py::bytes& bytes) const {
    StepResults found = readResults(sourceOf(bytes, "results"), identity_, job_);
    if (found.inputs.size() != 1) {
        throw Error(ErrorCode::invalidArgument, "results: are those of several parts");
    }
    return std::move(found.inputs.front());
}

py::list ChunkTasks::split(const py::bytes& step, const std::optional<py::bytes>& results) const {
    const MergeStep merge = readStep(sourceOf(step, "step"), identity_, job_);
    const PartResults above = results ? resultsIn(*results) : PartResults();
    py::list all;
    std::uint64_t kept = 0;
    for (PartResults& each : resultsOf(job_, merge, above, kept)) {
        StepResults one;
        one.inputs.push_back(std::move(each));
        Bytes memory;
        writeResults(memory, identity_, one);
        all.append(bytesOf(memory));
    }
    return all;
}

py::array ChunkTasks::firstPixels(std::uint64_t chunk, const py::array& levels, const std::optional<py::array>& around,
                                  const py::bytes& results) const {
    const PartResults given = resultsIn(results);
    std::vector<std::uint64_t> found;
    onTree(imageOfChunk(chunk, levels, around),
           [&](const ChunkTree& tree, const JobControl& control) { found = tree.firstPixels(given, {}, control); });
    return columnOf<std::uint64_t>(found, [](std::uint64_t pixel) { return pixel; });
}

py::array ChunkTasks::apply(std::uint64_t chunk, const py::array& levels, const std::optional<py::array>& around,
                            const py::bytes& results, const py::array_t<std::uint64_t>& firstPixels) const {
    const PartResults given = resultsIn(results);
    const ChunkImage image = imageOfChunk(chunk, levels, around);
    const std::span<const std::uint64_t> firsts(firstPixels.data(), static_cast<std::size_t>(firstPixels.size()));
    if (firsts.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw Error(ErrorCode::limitExceeded, "labels: more than 2^32 - 1 components");
    }
    const bool labels = job_.filter.output == Output::labels;
    std::shared_ptr<Image> out;
    Buffer<std::uint32_t> numbers(labels ? image.image->extent().pixelCount() : 0);
    onTree(image, [&](const ChunkTree& tree, const JobControl& control) {
        std::uint64_t kept = 0;
        std::uint64_t changed = 0;
        const PartResults all = tree.resultsOf(given, {}, kept, control);
        if (labels) {
            writeLabels(job_, tree, all, firsts, numbers.span(), changed, control);
        } else {
            out = std::make_shared<Image>(resultImage(job_, tree, all, changed, control));
        }
    });
    return labels ? py::array(arrayOf(std::move(numbers), shapeOf(levels))) : arrayOf(out, shapeOf(levels));
}

void bindChunkTasks(py::module_& module) {
    py::class_<ChunkTasks>(module, "ChunkTasks")
        .def(py::init<const std::string&>(), py::arg("job"))
        .def_static(
            "plan",
            [](Shape shape, Shape chunk, int bits, bool isMin, int connectivity, std::vector<std::string> criteria,
               std::string match, std::string rule, std::string output, std::string prominent,
               std::optional<ValueMapping> mapping, const std::optional<std::array<double, 3>>& sides,
               const std::optional<std::string>& unit) {
                ChunkArguments request{
                    std::move(shape),
                    std::move(chunk),
                    bits,
                    isMin ? TreeKind::min : TreeKind::max,
                    connectivity,
                    {std::move(criteria), std::move(match), std::move(rule), std::move(output), std::move(prominent)},
                    std::move(mapping),
                    {}};
                if (sides && unit) {
                    request.size = sizeOfArray(*sides, *unit);
                }
                return ChunkTasks::plan(request);
            },
            py::arg("shape"), py::arg("chunk"), py::arg("bits"), py::arg("is_min"), py::arg("connectivity"),
            py::arg("criteria"), py::arg("match"), py::arg("rule"), py::arg("output"), py::arg("prominent"),
            py::arg("mapping"), py::arg("sides"), py::arg("unit"))
        .def_property_readonly("needs_surroundings", &ChunkTasks::needsSurroundings)
        .def("build", &ChunkTasks::build, py::arg("chunk"), py::arg("levels"), py::arg("around"))
        .def("merge", &ChunkTasks::merge, py::arg("parts"))
        .def("split", &ChunkTasks::split, py::arg("step"), py::arg("results"))
        .def("first_pixels", &ChunkTasks::firstPixels, py::arg("chunk"), py::arg("levels"), py::arg("around"),
             py::arg("results"))
        .def("apply", &ChunkTasks::apply, py::arg("chunk"), py::arg("levels"), py::arg("around"), py::arg("results"),
             py::arg("first_pixels"));
}

} // namespace pollard::python
