#include "formats/fits/fits_gzip.hpp"

#include "io/read_support.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <zlib.h>

namespace pollard {

namespace {

struct CloseGzip {
    void operator()(gzFile file) const noexcept { gzclose(file); }
};
using GzipPointer = std::unique_ptr<std::remove_pointer_t<gzFile>, CloseGzip>;

bool isGzip(const SourceFile& source) {
    return source.content.empty() && source.head.size() > 2 && source.head[0] == std::byte{0x1f} &&
           source.head[1] == std::byte{0x8b};
}

GzipPointer openGzip(const SourceFile& source) {
    GzipPointer file(gzopen(source.path.c_str(), "rb"));
    if (!file) {
        throw readError(ErrorCode::fileUnreadable, source.path, "cannot be opened");
    }
    return file;
}

std::uint64_t mostBytes(const SourceFile& source, const ReadLimits& limits) {
    constexpr std::uint64_t kFree = 256ULL << 20; // from which on a file counts as a decompression bomb
    const std::uint64_t memory = limits.maxDecodedBytes != 0 ? limits.maxDecodedBytes : availableMemory() / 2;
    const double expanded = limits.maxExpansion * static_cast<double>(source.size);
    return std::min(memory, std::max(kFree, expanded < 1e18 ? static_cast<std::uint64_t>(expanded) : UINT64_MAX));
}

std::vector<std::byte> unpacked(const SourceFile& source, const ReadLimits& limits) {
    constexpr std::size_t kStep = 1U << 20;
    const std::uint64_t most = mostBytes(source, limits);
    const GzipPointer file = openGzip(source);
    std::vector<std::byte> bytes;
    for (;;) {
        const std::size_t used = bytes.size();
        bytes.resize(used + kStep);
        const int got = gzread(file.get(), bytes.data() + used, kStep);
        if (got < 0) {
            throw readError(ErrorCode::fileDamaged, source.path, "the data compressed by gzip are damaged");
        }
        bytes.resize(used + static_cast<std::size_t>(got));
        if (bytes.size() > most) {
            throw readError(ErrorCode::limitExceeded, source.path,
                            "the data compressed by gzip need more than the allowed " + sizeText(most));
        }
        if (static_cast<std::size_t>(got) < kStep) {
            break;
        }
    }
    int status = Z_OK;
    gzerror(file.get(), &status);
    if (status != Z_OK && status != Z_STREAM_END) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        "the data compressed by gzip end early; copy the file again");
    }
    return bytes;
}

} // namespace

bool isGzippedFits(const SourceFile& source) {
    constexpr std::string_view kStart = "SIMPLE  =";
    if (!isGzip(source)) {
        return false;
    }
    std::array<char, kStart.size()> start{};
    const GzipPointer file = openGzip(source);
    return gzread(file.get(), start.data(), start.size()) == static_cast<int>(start.size()) &&
           std::string_view(start.data(), start.size()) == kStart;
}

PlainFits::PlainFits(const SourceFile& source, const ReadLimits& limits)
    : bytes_(isGzip(source) ? unpacked(source, limits) : std::vector<std::byte>()), plain_(source) {
    if (!bytes_.empty()) {
        plain_.size = bytes_.size();
        plain_.content = bytes_;
        plain_.head.assign(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(
                                                                std::min(bytes_.size(), SourceFile::kHeadBytes)));
    }
}

} // namespace pollard
