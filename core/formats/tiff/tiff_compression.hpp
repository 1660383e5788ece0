#pragma once

#include <cstdint>
#include <tiffio.h>

namespace pollard {

/// How the pixels of strips and tiles are stored. A predictor codes the differences between neighbours of a row. The
/// numbers are in working files.
enum class TiffCompression : std::uint8_t {
    none,
    deflatePredictor, ///< ImageJ undoes a predictor of LZW only, and shows noise
    zstd,             ///< with predictor
    deflate,          ///< what all programs read
};

/// Whether this build of libtiff has the codec.
[[nodiscard]] bool isAvailable(TiffCompression compression) noexcept;

/// Sets compression, level and predictor of a directory that is written.
/// @param effort 1 to 9 for Deflate and 1 to 22 for Zstandard @param areFloats samples are floating-point numbers
/// @returns false if libtiff rejects one
bool setCompression(TIFF* tiff, TiffCompression compression, int effort, bool areFloats = false);

} // namespace pollard
