#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "chunks/chunk_nodes.hpp"
#include "chunks/merge/part_values.hpp"
#include "chunks/part_job.hpp"
#include "engine/engine.hpp"
#include "io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// The pixels of a chunk. Pixels without data have the level of the whole tree's root, see analysisImage().
struct ChunkImage {
    std::uint64_t chunk = 0; ///< number in the grid
    std::shared_ptr<const Image> image;
    /// Its box with the adjacent pixels of its neighbours, if SummaryNeeds::hasNeighbours(); else null.
    std::shared_ptr<const Image> surroundings;
};

/// The tree of a chunk. Nodes at the seams of the chunk are open, see Part.
class ChunkTree {
public:
    /// Builds the tree with an engine and decides on its closed nodes, if the decision does not depend on open nodes.
    /// @throws as Session::buildTree() and Session::attribute()
    ChunkTree(const PartJob& job, ChunkImage image, Session& session, const std::string& algorithm,
              const JobControl& control);

    [[nodiscard]] std::uint64_t chunk() const noexcept { return image_.chunk; }
    [[nodiscard]] const Image& image() const noexcept { return *image_.image; }
    [[nodiscard]] const ComponentTree& tree() const noexcept { return *tree_; }
    [[nodiscard]] std::size_t openCount() const noexcept { return open_.count(); }
    [[nodiscard]] std::uint64_t closedCount() const noexcept { return tree_->nodeCount() - openCount(); }
    [[nodiscard]] bool isOpen(std::size_t node) const noexcept { return open_.isOpen(node); }
    /// Columns of PartJob::measured, valid for closed nodes; empty if all nodes are open.
    [[nodiscard]] const std::vector<std::shared_ptr<const AttributeColumn>>& measured() const noexcept {
        return measured_;
    }
    /// Memory of the tree and the decisions.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// The open nodes as a part, in the order of the tree.
    [[nodiscard]] Part part(const JobControl& control) const;

    /// Adds the leaves that do not survive in the chunk, see ProminentLeaves, for a job with FilterSpec::prominent.
    /// @param part of the chunk
    void addLeaves(const Part& part, ProminentLeaves& to) const;

    /// PartJob::ruleNeeds() of the open nodes, see decideStep().
    /// @param values of the open nodes
    [[nodiscard]] Summaries decisions(const PartValues& values, const JobControl& control) const;

    /// Results of all nodes.
    /// @param results of the open nodes; after cutPart(), of the remaining ones
    /// @param values of the open nodes; ignored unless PartJob::values has any
    /// @param kept is increased by the number of closed nodes that stay
    [[nodiscard]] PartResults resultsOf(const PartResults& results, const PartValues& values, std::uint64_t& kept,
                                        const JobControl& control) const;

    /// First pixels, in the whole image, of the maximal kept components that begin in the chunk.
    [[nodiscard]] std::vector<std::uint64_t> firstPixels(const PartResults& results, const PartValues& values,
                                                         const JobControl& control) const;

private:
    [[nodiscard]] std::shared_ptr<const AttributeColumn> columnOf(AttributeId id, Session& session,
                                                                  const JobControl& control) const;
    [[nodiscard]] Buffer<std::uint8_t> meetCriteria(Session& session, const JobControl& control) const;
    /// Values of all nodes. @param values of the open nodes
    [[nodiscard]] PartValues valuesOf(const PartValues& values, const JobControl& control) const;
    /// @param results of the open nodes that cutPart() leaves
    [[nodiscard]] PartResults resultsOfOpen(const PartResults& results, const JobControl& control) const;
    [[nodiscard]] ChunkDecisions decide(const PartValues& values, const JobControl& control) const;
    /// The same leaf, as a pixel of the whole image.
    [[nodiscard]] LeafMeasure leafOf(Prominence measure, std::size_t node) const noexcept;
    void joinLeaves(Summaries& own) const;
    [[nodiscard]] std::uint64_t wholeIndex(std::uint32_t pixel) const noexcept;
    void findFirstPixels(Buffer<std::uint64_t>& first, const JobControl& control) const;
    void joinNodes(Part& part) const;

    const PartJob& job_;
    ChunkImage image_;
    ChunkBox box_;
    std::shared_ptr<const ComponentTree> tree_;
    OpenNodes open_;
    std::shared_ptr<const AttributeColumn> area_; ///< if the job needs PixelCount
    std::shared_ptr<const AttributeColumn> sum_;  ///< if the job needs LevelTotal
    std::vector<std::shared_ptr<const AttributeColumn>> measured_;
    ChunkDecisions
        decisions_;      ///< if PartJob::values has any, without the criteria that depend on ancestors and the rule
    ChunkLeaves leaves_; ///< if PartJob::values has any
};

/// Reads an image in chunks, with the same values as the whole image.
struct ChunkReader {
    /// Reads a box. Called on any thread, but not concurrently.
    std::function<LoadedImage(const ChunkBox& box, const JobControl& control)> read;
    /// Level of the pixels without data in the tree, see analysisImage().
    std::uint16_t outsideLevel = 0;
    std::uint64_t identity = 0; ///< of the image and of all choices that affect its pixels
};

/// Options for the trees of chunks.
struct ChunkTreeOptions {
    std::vector<Engine*> engines; ///< the most preferred first; if a device fails, the next one takes over
    std::string algorithm;        ///< empty = the engine's default
    SessionOptions session;
    std::uint64_t keptBytes = 0;                  ///< memory for trees that are kept
    std::uint64_t reserveBytes = 0;               ///< freed memory that the next chunk takes, see BlockReserve
    std::function<void(const std::string&)> note; ///< receives one line if another engine takes over; may be empty
};

/// A chunk with its tree.
struct LoadedChunk {
    LoadedImage loaded;
    std::unique_ptr<ChunkTree> tree;
};

/// Reads chunks and builds their trees. Reads the next chunk in the meantime, and keeps the last trees if memory
/// allows.
class ChunkTrees {
public:
    /// @param job must outlive this
    ChunkTrees(const PartJob& job, ChunkReader reader, ChunkTreeOptions options);

    /// @param next chunk of the next call, if it is known
    /// @throws exceptions of the reader and the engines; Cancelled
    [[nodiscard]] LoadedChunk take(std::uint64_t chunk, std::optional<std::uint64_t> next, const JobControl& control);
    /// Keeps a chunk for the next take(). If memory is short, drops the chunks that were kept first.
    void keep(LoadedChunk chunk);

    [[nodiscard]] std::uint64_t built() const noexcept { return built_; }
    /// Name of the engine that built the last tree; empty before.
    [[nodiscard]] std::string engine() const;

private:
    [[nodiscard]] LoadedImage read(std::uint64_t chunk, const JobControl& control) const;
    void readAhead(std::uint64_t chunk, const JobControl& control);
    [[nodiscard]] ChunkImage imageOf(std::uint64_t chunk, const LoadedImage& loaded, const JobControl& control) const;
    [[nodiscard]] std::unique_ptr<ChunkTree> build(const ChunkImage& image, const JobControl& control);
    [[nodiscard]] bool isKept(std::uint64_t chunk) const;

    const PartJob& job_;
    ChunkReader reader_;
    ChunkTreeOptions options_;
    BlockReserve reserve_;
    std::unique_ptr<Session> session_; ///< of the first engine
    std::uint64_t built_ = 0;
    std::deque<LoadedChunk> kept_;
    std::size_t keptBytes_ = 0;
    std::optional<std::uint64_t> ahead_; ///< the chunk that is being read
    std::future<LoadedImage> reading_;
};

} // namespace pollard
