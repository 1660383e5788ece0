#include "formats/tiff/tiff_names.hpp"

#include <tiff.h>

namespace pollard {

std::string tiffCompressionName(std::uint16_t compression) {
    switch (compression) {
    case COMPRESSION_NONE:
        return "none";
    case COMPRESSION_CCITTRLE:
        return "CCITT RLE";
    case COMPRESSION_CCITTRLEW:
        return "CCITT RLE, word aligned";
    case COMPRESSION_CCITTFAX3:
        return "CCITT Group 3";
    case COMPRESSION_CCITTFAX4:
        return "CCITT Group 4";
    case COMPRESSION_LZW:
        return "LZW";
    case COMPRESSION_OJPEG:
        return "old-style JPEG";
    case COMPRESSION_JPEG:
        return "JPEG";
    case COMPRESSION_NEXT:
        return "NeXT";
    case COMPRESSION_PACKBITS:
        return "PackBits";
    case COMPRESSION_THUNDERSCAN:
        return "ThunderScan";
    case COMPRESSION_PIXARLOG:
        return "PixarLog";
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE:
        return "Deflate";
    case COMPRESSION_JBIG:
        return "JBIG";
    case COMPRESSION_SGILOG:
    case COMPRESSION_SGILOG24:
        return "SGILog";
    case COMPRESSION_JP2000:
        return "JPEG 2000";
    case COMPRESSION_LERC:
        return "LERC";
    case COMPRESSION_LZMA:
        return "LZMA";
    case COMPRESSION_ZSTD:
        return "Zstandard";
    case COMPRESSION_WEBP:
        return "WebP";
    case COMPRESSION_JXL:
        return "JPEG XL";
    default:
        return "compression " + std::to_string(compression);
    }
}

std::string tiffPhotometricName(std::uint16_t photometric) {
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
        return "MinIsWhite";
    case PHOTOMETRIC_MINISBLACK:
        return "MinIsBlack";
    case PHOTOMETRIC_RGB:
        return "RGB";
    case PHOTOMETRIC_PALETTE:
        return "Palette";
    case PHOTOMETRIC_MASK:
        return "Mask";
    case PHOTOMETRIC_SEPARATED:
        return "CMYK";
    case PHOTOMETRIC_YCBCR:
        return "YCbCr";
    case PHOTOMETRIC_CIELAB:
        return "CIE Lab";
    case PHOTOMETRIC_ICCLAB:
        return "ICC Lab";
    case PHOTOMETRIC_ITULAB:
        return "ITU Lab";
    case PHOTOMETRIC_CFA:
        return "colour filter array";
    case PHOTOMETRIC_LOGL:
        return "LogL";
    case PHOTOMETRIC_LOGLUV:
        return "LogLuv";
    case kLinearRawPhotometric:
        return "linear raw";
    default:
        return "photometric " + std::to_string(photometric);
    }
}

std::string tiffSampleFormatName(std::uint16_t sampleFormat) {
    switch (sampleFormat) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID:
        return "unsigned";
    case SAMPLEFORMAT_INT:
        return "signed";
    case SAMPLEFORMAT_IEEEFP:
        return "floating-point";
    case SAMPLEFORMAT_COMPLEXINT:
    case SAMPLEFORMAT_COMPLEXIEEEFP:
        return "complex";
    default:
        return "sample format " + std::to_string(sampleFormat);
    }
}

} // namespace pollard
