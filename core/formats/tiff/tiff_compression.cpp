#include "formats/tiff/tiff_compression.hpp"

namespace pollard {

bool isAvailable(TiffCompression compression) noexcept {
    switch (compression) {
    case TiffCompression::none:
        return true;
    case TiffCompression::deflate:
    case TiffCompression::deflatePredictor:
        return TIFFIsCODECConfigured(COMPRESSION_ADOBE_DEFLATE) != 0;
    case TiffCompression::zstd:
        return TIFFIsCODECConfigured(COMPRESSION_ZSTD) != 0;
    }
    return false;
}

bool setCompression(TIFF* tiff, TiffCompression compression, int effort, bool areFloats) {
    const int predictor = areFloats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL;
    const auto set = [tiff](std::uint32_t tag, int value) { return TIFFSetField(tiff, tag, value) == 1; };
    switch (compression) {
    case TiffCompression::none:
        return set(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    case TiffCompression::deflate:
        return set(TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) && set(TIFFTAG_ZIPQUALITY, effort);
    case TiffCompression::deflatePredictor:
        return set(TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) && set(TIFFTAG_ZIPQUALITY, effort) &&
               set(TIFFTAG_PREDICTOR, predictor);
    case TiffCompression::zstd:
        return set(TIFFTAG_COMPRESSION, COMPRESSION_ZSTD) && set(TIFFTAG_ZSTD_LEVEL, effort) &&
               set(TIFFTAG_PREDICTOR, predictor);
    }
    return false;
}

} // namespace pollard
