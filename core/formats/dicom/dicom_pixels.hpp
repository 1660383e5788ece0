#pragma once

#include "formats/dicom/dicom_header.hpp"
#include "io/volumes/volume_layout.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// How the samples of a data set are converted to the samples of a VolumeLayout: red, green and blue of a colour lie
/// side by side; signed and inverted samples fill all bits of their type.
struct DicomSamples {
    SampleKind kind = SampleKind::unsignedInteger;
    int bits = 8; ///< of a sample, a whole number of bytes
    bool isColour = false;
    bool isPalette = false;
    bool isYcc = false;      ///< YBR_FULL, not compressed as a whole
    bool isInverted = false; ///< MONOCHROME1 without a rescale slope and intercept
    bool isPlain = false;    ///< stored like this; no conversion is needed
};

/// @throws Error(fileDamaged) for numbers that contradict each other or the size of the file,
/// Error(formatUnsupported)
[[nodiscard]] DicomSamples samplesOf(const SourceFile& source, const DicomHeader& header);

/// Name of the compression, as in "JPEG 2000"; "none" for plain pixels. @throws Error(formatUnsupported)
[[nodiscard]] std::string compressionOf(const SourceFile& source, const DicomHeader& header);

/// Decoder of the pages, whose frames are @p order (empty: as stored). Keeps copies of all facts.
/// @throws Error(fileDamaged) for fragments that do not make up the frames
[[nodiscard]] std::unique_ptr<PageDecoder> dicomPages(const SourceFile& source, const DicomHeader& header,
                                                      const DicomSamples& samples, std::vector<std::uint32_t> order);

/// Decodes a frame of JPEG or JPEG-LS. Only in builds with DCMTK. Writes the samples of a pixel side by side,
/// little-endian, in all bits allocated to a sample.
/// @param out one byte more than the frame has if its bytes are odd
/// @returns the photometric interpretation of the samples
/// @throws Error(fileDamaged, outOfMemory)
std::string decodeWithDcmtk(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame,
                            std::span<std::byte> out);

/// Only in builds with DCMTK.
[[nodiscard]] std::string dcmtkVersion();

} // namespace pollard
