#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <tiffio.h>

namespace pollard {

/// What libtiff said through one handle. libtiff reports by text only, so the text is what there is to judge.
struct TiffMessages {
    std::string lastError;   ///< empty if there was none
    std::string firstDamage; ///< first message that means lost or invented pixels, empty if there was none
    std::string prefix;      ///< what libtiff puts before some texts and our own messages say already

    void clear() {
        lastError.clear();
        firstDamage.clear();
    }
};

/// An open TIFF with its own message handlers and memory limit. libtiff's global handlers are never used, so
/// that several files can be read at once and nothing is printed.
class TiffHandle {
public:
    /// Opens without reading a directory and without mapping the file (a mapped file that shrinks kills
    /// the process). @p memoryLimit bounds every single allocation of libtiff.
    /// @throws Error(fileDamaged)
    static TiffHandle openForReading(const std::filesystem::path& path, std::uint64_t memoryLimit);

    /// Starts a TIFF in the open file @p descriptor, which is closed with the handle.
    /// @throws Error(writeFailed)
    static TiffHandle createIn(int descriptor, const std::filesystem::path& path, bool bigTiff);

    [[nodiscard]] TIFF* get() const noexcept { return tiff_.get(); }
    [[nodiscard]] TiffMessages& messages() const noexcept { return *messages_; }

    /// Flushes and closes; what happens then is in messages().
    void close() noexcept { tiff_.reset(); }

private:
    struct Close {
        void operator()(TIFF* tiff) const noexcept { TIFFClose(tiff); }
    };
    struct Reading;
    struct Forget {
        void operator()(Reading* reading) const noexcept;
    };
    // The messages and the file must outlive the TIFF, which may report and read while it closes.
    std::unique_ptr<TiffMessages> messages_ = std::make_unique<TiffMessages>();
    std::unique_ptr<Reading, Forget> reading_; ///< null while writing
    std::unique_ptr<TIFF, Close> tiff_;
};

} // namespace pollard
