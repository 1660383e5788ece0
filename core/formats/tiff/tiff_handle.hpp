#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <tiffio.h>
#include <vector>

namespace pollard {

/// libtiff's messages through one handle, and how far its rows are sound. libtiff reports failures as text only.
struct TiffMessages {
    std::string lastError;     ///< empty if there is none
    std::string firstDamage;   ///< first message about lost or invented pixels; empty if there is none
    std::string prefix;        ///< prefix of libtiff's messages, which is redundant in errors
    std::uint32_t nextRow = 0; ///< the row after the last one decoded by rows; 0 after a failure

    void clear() {
        lastError.clear();
        firstDamage.clear();
    }
};

/// An open TIFF with its own message handlers and memory limit. libtiff's global handlers are not used, so that several
/// files can be read concurrently and nothing is printed.
class TiffHandle {
public:
    /// Opens without reading a directory and without memory mapping (a mapped file that shrinks kills the process).
    /// @p memoryLimit bounds every single allocation of libtiff.
    /// @throws Error(fileDamaged)
    static TiffHandle openForReading(const std::filesystem::path& path, std::uint64_t memoryLimit);

    /// Starts a TIFF in the open file @p descriptor, which the handle closes.
    /// @throws Error(writeFailed)
    static TiffHandle createIn(int descriptor, const std::filesystem::path& path, bool bigTiff);

    /// Starts a BigTIFF in memory, whose bytes are appended to @p bytes in the order in which they are written;
    /// positions do not count, and nothing can be read. @p bytes outlives the handle and may be emptied meanwhile.
    /// @throws Error(writeFailed)
    static TiffHandle createIn(std::vector<std::byte>& bytes);

    /// Reads all later data this many bytes behind their places: the pixels of a plane that follows that of the
    /// directory, which has been read. Only after openForReading().
    void shiftData(std::uint64_t bytes) noexcept;

    /// While it is on, bytes written to a file of createIn(int) are not stored, but keep their room in it.
    void leaveRoom(bool on) noexcept;

    [[nodiscard]] TIFF* get() const noexcept { return tiff_.get(); }
    [[nodiscard]] TiffMessages& messages() const noexcept { return *messages_; }

    /// Flushes and closes; errors are in messages().
    void close() noexcept {
        tiff_.reset();
        writing_.reset();
    }

private:
    struct Close {
        void operator()(TIFF* tiff) const noexcept { TIFFClose(tiff); }
    };
    struct Reading;
    struct Writing;
    struct Appending;
    struct Forget {
        void operator()(Reading* reading) const noexcept;
        void operator()(Writing* writing) const noexcept;
        void operator()(Appending* appending) const noexcept;
    };
    // Messages and file must outlive the TIFF, which may use both while it closes.
    std::unique_ptr<TiffMessages> messages_ = std::make_unique<TiffMessages>();
    std::unique_ptr<Reading, Forget> reading_;     ///< null while writing
    std::unique_ptr<Writing, Forget> writing_;     ///< null unless a file is written
    std::unique_ptr<Appending, Forget> appending_; ///< null unless in memory
    std::unique_ptr<TIFF, Close> tiff_;
};

} // namespace pollard
