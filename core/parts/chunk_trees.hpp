#pragma once

#include "base/block_reserve.hpp"
#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "io/image_file.hpp"
#include "parts/chunk_part.hpp"
#include "parts/part_job.hpp"

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

/// A picture that is read in chunks, with the values that it has as a whole.
struct ChunkReader {
    /// Reads a box, on any thread, but one at a time.
    std::function<LoadedImage(const ChunkBox& box, const JobControl& control)> read;
    /// Level of the pixels without data in the tree, see analysisImage().
    std::uint16_t outsideLevel = 0;
    std::uint64_t identity = 0; ///< of the picture and all choices that its pixels depend on
};

/// How chunks get their trees.
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

/// Reads chunks and builds their trees; reads the next one meanwhile, and keeps the last ones as far as memory allows.
class ChunkTrees {
public:
    /// @param job must outlive this
    ChunkTrees(const PartJob& job, ChunkReader reader, ChunkTreeOptions options);

    /// @param next chunk that is asked for next, if it is known
    /// @throws exceptions of the reader and the engines; Cancelled
    [[nodiscard]] LoadedChunk take(std::uint64_t chunk, std::optional<std::uint64_t> next, const JobControl& control);
    /// Keeps a chunk for the next take(), in place of those that were kept first if memory is short.
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
