#include "formats/tiff/pending_tiff.hpp"

#include "base/text.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace pollard {

PendingTiff::PendingTiff(const std::filesystem::path& path, bool bigTiff)
    : file_(path, kWriteTiff), handle_(TiffHandle::createIn(file_.duplicateDescriptor(), path, bigTiff)) {}

void PendingTiff::require(bool ok) const {
    const int systemError = errno;
    if (!ok || !handle_.messages().lastError.empty()) {
        fail(systemError);
    }
}

void PendingTiff::fail(int systemError) const {
    const std::string& text = handle_.messages().lastError;
    file_.fail(systemError != 0 ? std::strerror(systemError) : text.empty() ? "unknown failure of libtiff" : text);
}

std::uint64_t PendingTiff::reserveTile(std::uint32_t tile, std::uint32_t bytes) {
    std::byte unread{};
    errno = 0;
    handle_.leaveRoom(true);
    const bool ok = TIFFWriteRawTile(get(), tile, &unread, static_cast<tmsize_t>(bytes)) >= 0;
    handle_.leaveRoom(false);
    require(ok);
    return TIFFGetStrileOffset(get(), tile);
}

void PendingTiff::commit() {
    errno = 0;
    const bool flushed = TIFFFlush(handle_.get()) == 1;
    const int flushError = errno;
    handle_.close();
    errno = flushError;
    require(flushed);
    file_.commit();
}

bool isOmeName(const std::filesystem::path& path) { return lowered(path.stem().string()).ends_with(".ome"); }

} // namespace pollard
