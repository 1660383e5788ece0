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

/// Messages of libtiff about one handle, and the row up to which data are sound. libtiff reports failures as text only.
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

    /// Starts a BigTIFF in memory: appends bytes to @p bytes in the order of writing, whatever their position. Nothing
    /// can be read. @p bytes must outlive the handle and may be emptied meanwhile.
    /// @throws Error(writeFailed)
    static TiffHandle createIn(std::vector<std::byte>& bytes);

    /// Adds @p bytes to the position of all data read from now on, to read the pixels of a later plane that has no
    /// directory. Only after openForReading() and after reading the directory.
    void shiftData(std::uint64_t bytes) noexcept;

    /// If on, reserves space in a file of createIn(int) for written bytes without storing them.
    void reserveOnly(bool on) noexcept;

    [[nodiscard]] TIFF* get() const noexcept { return tiff_.get(); }
    [[nodiscard]] TiffMessages& messages() const noexcept { return *messages_; }

    /// Flushes and closes; errors are in messages().
    void close() noexcept {
        tiff_.reset();
        writtenFile_.reset();
    }

private:
    struct Close {
        void operator()(TIFF* tiff) const noexcept { TIFFClose(tiff); }
    };
    struct ReadFile;
    struct WrittenFile;
    struct AppendBuffer;
    struct Delete {
        void operator()(ReadFile* file) const noexcept;
        void operator()(WrittenFile* file) const noexcept;
        void operator()(AppendBuffer* buffer) const noexcept;
    };
    // Messages and file must outlive the TIFF, which may use both while it closes.
    std::unique_ptr<TiffMessages> messages_ = std::make_unique<TiffMessages>();
    std::unique_ptr<ReadFile, Delete> readFile_;         ///< null while writing
    std::unique_ptr<WrittenFile, Delete> writtenFile_;   ///< null unless a file is written
    std::unique_ptr<AppendBuffer, Delete> appendBuffer_; ///< null unless in memory
    std::unique_ptr<TIFF, Close> tiff_;
};

} // namespace pollard
