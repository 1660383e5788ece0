#pragma once

#include "formats/tiff/tiff_handle.hpp"
#include "io/write/atomic_file.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <tiffio.h>

namespace pollard {

/// Operation for messages.
inline constexpr const char* kWriteTiff = "cannot write TIFF";
/// Bytes of pixels above which a file is a BigTIFF. Classic TIFF is limited to 4 GiB; Deflate can enlarge noise
/// slightly, and the tables need space.
inline constexpr std::uint64_t kClassicTiffBytes = 0xf000'0000ULL;

/// A TIFF being written, which appears under its name when complete, see AtomicFile.
class PendingTiff {
public:
    /// @throws Error(writeFailed)
    PendingTiff(const std::filesystem::path& path, bool bigTiff);

    [[nodiscard]] TIFF* get() const noexcept { return handle_.get(); }

    /// Keeps room at the end of the file for a tile of the current directory, whose bytes come from another writer of
    /// temporary(). @return their offset in the file
    /// @throws Error(writeFailed)
    std::uint64_t reserveTile(std::uint32_t tile, std::uint32_t bytes);

    /// The file under construction.
    [[nodiscard]] const std::filesystem::path& temporary() const noexcept { return file_.temporary(); }

    /// Ends a step of libtiff whose success is @p ok: fails with the system's reason in errno or with libtiff's
    /// message.
    /// @throws Error(writeFailed)
    void require(bool ok) const;

    /// Throws Error(writeFailed) with the reason of @p systemError, or libtiff's message if it is 0.
    [[noreturn]] void fail(int systemError) const;

    /// Writes all tables and gives the file its name.
    /// @throws Error(writeFailed)
    void commit();

private:
    AtomicFile file_;
    TiffHandle handle_;
};

/// Whether the name asks for OME-XML: ".ome.tif", ".ome.tiff".
[[nodiscard]] bool isOmeName(const std::filesystem::path& path);

} // namespace pollard
