#pragma once

#include "io/image_reader.hpp"

#include <cstddef>
#include <vector>

namespace pollard {

/// Whether a file is a FITS file compressed by gzip.
[[nodiscard]] bool isGzippedFits(const SourceFile& source);

/// A FITS file whose bytes can be read at any place: that of a source, or its content in memory if gzip compressed it.
class PlainFits {
public:
    /// @throws Error(fileDamaged); Error(limitExceeded) for content of more bytes than the limits or the memory allow
    PlainFits(const SourceFile& source, const ReadLimits& limits);
    PlainFits(const PlainFits&) = delete;
    PlainFits& operator=(const PlainFits&) = delete;

    [[nodiscard]] const SourceFile& source() const noexcept { return plain_; }

private:
    std::vector<std::byte> bytes_; ///< empty if the file is plain
    SourceFile plain_;
};

} // namespace pollard
