#pragma once

#include "io/image_reader.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace pollard {

/// Tags of microscopes whose content libtiff does not know.
inline constexpr std::uint32_t kMetaMorphTag1 = 33628; ///< UIC1: pairs of a number and a value or its place
inline constexpr std::uint32_t kMetaMorphTag2 = 33629; ///< UIC2: six numbers for each plane
inline constexpr std::uint32_t kZeissTag = 34412;      ///< CZ_LSMINFO

/// Position of the content of a tag of a microscope.
struct TiffPrivateTag {
    std::uint32_t tag = 0;
    std::uint64_t count = 0; ///< of values
    std::uint64_t place = 0; ///< in the file
};

/// Content of a directory that defines its role in the file.
struct TiffDirectory {
    std::uint64_t offset = 0; ///< in the file
    std::uint32_t width = 0;  ///< px; 0 if unreadable
    std::uint32_t height = 0;
    std::uint32_t subfileType = 0;       ///< NewSubfileType: bit 0 reduced, bit 2 mask
    std::uint64_t blocks = 0;            ///< number of strips or tiles with an entry
    std::vector<std::uint64_t> children; ///< offsets of SubIFDs
    std::vector<TiffPrivateTag> privateTags;

    /// The tag with a number; null if the directory does not have it.
    [[nodiscard]] const TiffPrivateTag* find(std::uint32_t tag) const noexcept;
};

/// A page with its related directories.
struct TiffPageOutline {
    TiffDirectory page;
    std::vector<TiffDirectory> reduced; ///< reduced versions in the chain, without SubIFDs
    std::vector<TiffDirectory> masks;   ///< transparency masks, of any size
};

/// The chain of directories of a TIFF or BigTIFF, grouped into pages. Reduced versions and masks follow their page,
/// unless their shape matches no page; then they are pages. Skips the thumbnails of Zeiss LSM files.
///
/// libtiff could follow the chain, too, but searches all earlier directories at each step and reads all tags to
/// determine a directory's role, which takes minutes for some files of a few megabytes.
struct TiffOutline {
    std::vector<TiffPageOutline> pages;
    bool damaged = false; ///< the chain ends in invalid data
    bool cut = false;     ///< the chain has more directories than kMaxDirectories
    static constexpr std::size_t kMaxDirectories = 1U << 16;
};

/// Reads the chain up to a repeated directory.
/// @throws Error(fileDamaged) if the first directory cannot be found, Error(fileUnreadable)
[[nodiscard]] TiffOutline readTiffOutline(const SourceFile& source);

/// The page and its reduced versions in the chain and in SubIFDs, largest first; at least one.
[[nodiscard]] std::vector<TiffDirectory> tiffLevels(const SourceFile& source, const TiffPageOutline& page);

} // namespace pollard
