#pragma once

#include "formats/dicom/dicom_header.hpp"
#include "io/volumes/volume_layout.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pollard {

/// How the samples of a data set become those of a VolumeLayout: red, green and blue side by side for colours, signed
/// and inverted samples in all bits of their type.
struct DicomSamples {
    SampleKind kind = SampleKind::unsignedInteger;
    int bits = 8; ///< of a sample, a whole number of bytes
    bool isColour = false;
    bool isPalette = false;
    bool isYcc = false;      ///< YBR_FULL, not compressed as a whole
    bool isInverted = false; ///< MONOCHROME1 whose samples are no values
    bool isPlain = false;    ///< stored so
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

} // namespace pollard
