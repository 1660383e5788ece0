#pragma once

#include "formats/tiff/tiff_tags.hpp"

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace pollard::cli {

/// Options of commands that work on images larger than memory in chunks.
struct StreamOptions {
    bool stream = false;
    std::string memory;      ///< empty = three quarters of the free memory
    std::uint32_t chunk = 0; ///< 0 = by the memory
    std::string workFolder;  ///< empty = beside the target
    bool resume = false;
    std::string compression = "deflate";
    bool strips = false; ///< see ChunkRequest::strips

    /// Declares all options, for commands that write an image.
    void declare(CLI::App& command);
    /// Declares --stream, --memory and --chunk, for commands without working files.
    void declareSweep(CLI::App& command);
    /// Declares --stream, --memory, --chunk, --compression and --strips, for commands that write an image but cannot be
    /// resumed.
    void declareOnePass(CLI::App& command);
    /// Declares --memory, --chunk and --compression alone.
    void declareSizes(CLI::App& command);
    void declareMemory(CLI::App& command);
    /// Whether an option asks for chunks.
    [[nodiscard]] bool asksForChunks() const noexcept {
        return stream || !memory.empty() || chunk > 0 || !workFolder.empty() || resume;
    }
    /// Bytes; 0 = three quarters of the free memory. @throws UsageError
    [[nodiscard]] std::uint64_t memoryBytes() const;
    /// @throws UsageError for a codec that this build does not have
    [[nodiscard]] TiffCompression tiffCompression() const;

private:
    void declareChunks(CLI::App& command, const char* streamHelp);
    void declareChunk(CLI::App& command);
    void declareCompression(CLI::App& command);
    /// Declares --compression and --strips.
    void declareTiff(CLI::App& command);
};

} // namespace pollard::cli
