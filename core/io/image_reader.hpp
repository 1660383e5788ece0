#pragma once

#include "io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace pollard {

/// A regular, non-empty file that was opened once and looked at.
struct SourceFile {
    std::filesystem::path path;
    std::uint64_t size = 0;      ///< bytes
    std::vector<std::byte> head; ///< leading bytes, at most kHeadBytes

    static constexpr std::size_t kHeadBytes = 64;
};

/// One file format. To add a format: write one file that implements this and add its accessor to the
/// table in image_file.cpp. Readers have no state; every call opens the file anew.
class ImageReader {
public:
    virtual ~ImageReader() = default;

    /// Name and extensions for an open dialog.
    [[nodiscard]] virtual FormatFilter filter() const = 0;
    /// Whether the leading bytes are those of this format. Extensions play no part.
    [[nodiscard]] virtual bool recognises(std::span<const std::byte> head) const = 0;
    /// The same for a format that the leading bytes alone do not show.
    [[nodiscard]] virtual bool recognisesFile(const SourceFile& source) const { return recognises(source.head); }
    /// Whether read() returns just the region that the options ask for. Otherwise it ignores the region, and the
    /// whole page is cut afterwards. Either way read() ignores `shrink`.
    [[nodiscard]] virtual bool readsRegions() const { return false; }
    /// Facts about the page of @p options, without decoding pixels. @throws Error
    [[nodiscard]] virtual ImageInfo info(const SourceFile& source, const ReadOptions& options) const = 0;
    /// Facts and pixels. @throws Error, Cancelled
    [[nodiscard]] virtual LoadedImage read(const SourceFile& source, const ReadOptions& options,
                                           const JobControl& control) const = 0;
};

const ImageReader& tiffReader();
const ImageReader& pngReader();
const ImageReader& jpegReader();
const ImageReader& pnmReader();
const ImageReader& pfmReader();
const ImageReader& jp2Reader();
const ImageReader& webpReader();
const ImageReader& fitsReader();  ///< only if the build has cfitsio
const ImageReader& slideReader(); ///< only if the build has OpenSlide
const ImageReader& rawReader();

} // namespace pollard
