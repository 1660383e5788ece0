#pragma once

#include "arrays.hpp"
#include "max_tree.hpp"

#include "base/job_control.hpp"
#include "chunks/chunk_trees.hpp"
#include "chunks/part_files.hpp"
#include "chunks/part_job.hpp"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pollard::python {

/// What a filter in chunks is planned for.
struct ChunkArguments {
    Shape shape;  ///< of the image, 2 or 3 axes
    Shape chunk;  ///< of its chunks; those at the last sides are smaller
    int bits = 8; ///< of a level
    TreeKind kind = TreeKind::max;
    int connectivity = 1; ///< as scikit-image's
    FilterArguments filter;
    std::optional<ValueMapping> mapping; ///< of the levels; unset if levels are values
    std::optional<PixelSize> size;       ///< unit of bounds; unset: px
};

/// The filter of an image in chunks as pure functions of arrays and bytes, for the graphs of other libraries: build()
/// for each chunk, merge() until one part is whole, split() of all merges in the opposite order, then apply() for each
/// chunk; for labels firstPixels() before. Parts, steps and results are bytes of part_files.hpp. All functions may be
/// called from several threads.
class ChunkTasks {
public:
    /// @return the text of the job
    /// @throws Error(invalidArgument) as parseCriterion() and partJob(), and for a filter whose decisions depend on
    /// ancestors or that takes distances of ranks for distances of values
    [[nodiscard]] static std::string plan(const ChunkArguments& request);

    /// @param text of plan() @throws Error(invalidArgument) for another text
    explicit ChunkTasks(const std::string& text);

    /// Whether build() and apply() need the pixels around a chunk.
    [[nodiscard]] bool needsSurroundings() const { return job_.needs.has<OutlineTotals>(); }
    /// The part of a chunk. @param levels of the chunk @param around the chunk with the adjacent rows and columns of
    /// its slices, if needsSurroundings()
    /// @throws Error(invalidArgument) for arrays of other shapes or types, and a chunk that is not in the grid
    [[nodiscard]] py::bytes build(std::uint64_t chunk, const py::array& levels,
                                  const std::optional<py::array>& around) const;
    /// The part of several parts, and the step of the merge.
    [[nodiscard]] py::tuple merge(const std::vector<py::bytes>& parts) const;
    /// The results of all parts of a merge. @param results of the merged part; nothing for the whole image
    [[nodiscard]] py::list split(const py::bytes& step, const std::optional<py::bytes>& results) const;
    /// First pixels of the components that begin in a chunk, uint64. @param results of its part
    [[nodiscard]] py::array firstPixels(std::uint64_t chunk, const py::array& levels,
                                        const std::optional<py::array>& around, const py::bytes& results) const;
    /// The pixels of a chunk in the result: levels, or labels of uint32.
    /// @param firstPixels of all chunks, ascending, for labels
    [[nodiscard]] py::array apply(std::uint64_t chunk, const py::array& levels, const std::optional<py::array>& around,
                                  const py::bytes& results, const py::array_t<std::uint64_t>& firstPixels) const;

private:
    [[nodiscard]] ChunkImage imageOfChunk(std::uint64_t chunk, const py::array& levels,
                                          const std::optional<py::array>& around) const;
    /// Builds the tree of a chunk for some work.
    void onTree(ChunkImage image, const std::function<void(const ChunkTree&, const JobControl&)>& work) const;
    [[nodiscard]] Part partOf(const py::bytes& bytes) const;
    /// @param bytes with the results of one part
    [[nodiscard]] PartResults resultsIn(const py::bytes& bytes) const;

    PartJob job_;
    std::uint64_t identity_;
};

} // namespace pollard::python
