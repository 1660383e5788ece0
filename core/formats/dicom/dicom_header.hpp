#pragma once

#include "io/image_reader.hpp"
#include "io/volumes/voxel_place.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

/// Position of a plane of pixels in the patient (DICOM PS3.3, C.7.6.2): x ascends to the left, y to posterior, z to
/// superior, in mm. Also the scale of the values in the plane.
struct DicomPlane {
    std::optional<AxisDirection> position; ///< centre of the first pixel
    std::optional<double> slope;           ///< value = intercept + slope * sample
    std::optional<double> intercept;
};

/// A column of a palette.
struct DicomPalette {
    std::uint64_t entries = 0;
    std::int64_t first = 0; ///< sample of the first entry
    int bits = 0;           ///< 8 or 16
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0; ///< of the entries
};

/// The facts of a data set that reading an image needs. Does not contain elements that identify patients.
struct DicomHeader {
    std::string syntax; ///< UID of the transfer syntax
    std::string modality;
    std::string photometric; ///< "MONOCHROME2", "RGB" ...
    std::string rescaleType; ///< unit of the values: "HU"
    std::string units;       ///< of the values of PET: "BQML"
    std::string series;      ///< UID, to compare
    std::string seriesNumber;
    std::int64_t instance = 0; ///< number in the series
    std::int64_t acquisition = 0;
    std::int64_t temporal = 0; ///< position in time
    std::uint64_t columns = 0;
    std::uint64_t rows = 0;
    std::uint64_t samples = 1; ///< of a pixel
    std::uint64_t frames = 1;
    int bitsAllocated = 0;
    int bitsStored = 0;
    int highBit = 0;
    bool isSigned = false;
    bool isPlanar = false;  ///< red, green and blue are stored in separate planes
    bool isCine = false;    ///< frames are times
    bool isTurning = false; ///< frames have different directions
    bool isTiled = false;   ///< frames are tiles of a larger image
    bool hasValueTable = false;
    std::optional<std::uint16_t> padding;                   ///< bits of the sample of pixels without data
    std::optional<std::uint16_t> paddingLimit;              ///< other end of the range of samples without data
    std::optional<double> realPadding;                      ///< like padding, for floating-point samples
    std::optional<double> realPaddingLimit;                 ///< like paddingLimit, for floating-point samples
    DicomPlane plane;                                       ///< of all frames
    std::vector<DicomPlane> framePlanes;                    ///< empty, or one for each frame
    std::optional<std::array<AxisDirection, 2>> directions; ///< of x and y
    std::optional<std::pair<double, double>> spacing;       ///< width and height of a pixel, mm
    double distance = 0;                                    ///< between slices, else their thickness; 0: unknown
    std::optional<ChannelWindow> window;                    ///< the first one, in values
    std::string description;                                ///< of the series
    std::array<DicomPalette, 3> palette{};                  ///< red, green, blue
    std::uint32_t pixels = 0;                               ///< tag of the pixels; 0: the data set has none
    std::uint64_t begin = 0;                                ///< of the pixels
    std::uint64_t length = 0;                               ///< bytes of the pixels
    bool isEncapsulated = false;

    /// The plane of the first stored frame.
    [[nodiscard]] const DicomPlane& firstPlane() const { return framePlanes.empty() ? plane : framePlanes.front(); }
};

inline constexpr std::uint32_t kDicomPixels = 0x7fe00010;
inline constexpr std::uint32_t kDicomFloatPixels = 0x7fe00008;
inline constexpr std::uint32_t kDicomDoublePixels = 0x7fe00009;

/// Whether the file has the preamble of DICOM files.
[[nodiscard]] bool isDicom(const SourceFile& source);

/// Reads the header of a file, up to the pixels. @throws Error(fileDamaged, formatUnsupported, limitExceeded)
[[nodiscard]] DicomHeader readDicomHeader(const SourceFile& source);

} // namespace pollard
