#pragma once

#include "io/image_reader.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace pollard {

/// What is read of a directory to know its part in the file.
struct TiffDirectory {
    std::uint64_t offset = 0; ///< in the file
    std::uint32_t width = 0;  ///< px; 0 if it cannot be read
    std::uint32_t height = 0;
    std::uint32_t subfileType = 0;       ///< NewSubfileType: bit 0 reduced, bit 2 mask
    std::uint64_t blocks = 0;            ///< strips or tiles that it gives a place to
    std::vector<std::uint64_t> children; ///< offsets of SubIFDs
};

/// One page with everything that belongs to it.
struct TiffPageOutline {
    TiffDirectory page;
    std::vector<TiffDirectory> reduced; ///< of the chain, not of SubIFDs
    std::vector<TiffDirectory> masks;   ///< transparency masks, of any size
};

/// The chain of directories of a TIFF or BigTIFF, sorted into pages. Reduced versions and masks follow their page and
/// are none themselves, unless their shape shows that they belong to nothing.
///
/// libtiff could walk the chain too, but searches all earlier directories at each step and must read all tags to know
/// what a directory is for; a file of a few megabytes can keep it busy for minutes.
struct TiffOutline {
    std::vector<TiffPageOutline> pages;
    bool damaged = false; ///< the chain ends in something that is no directory
    bool cut = false;     ///< it has more directories than kMaxDirectories
    static constexpr std::size_t kMaxDirectories = 1U << 16;
};

/// A chain that returns to an earlier directory ends there.
/// @throws Error(fileDamaged) if not even the first directory can be found, Error(fileUnreadable)
[[nodiscard]] TiffOutline readTiffOutline(const SourceFile& source);

/// The page and its reduced versions in the chain and in SubIFDs, the largest first; at least one.
[[nodiscard]] std::vector<TiffDirectory> tiffLevels(const SourceFile& source, const TiffPageOutline& page);

} // namespace pollard
