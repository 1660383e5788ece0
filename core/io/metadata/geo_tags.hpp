#pragma once

#include "image/image.hpp"
#include "io/image_file.hpp"
#include "io/samples/no_data.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

/// Tags of GeoTIFF and GDAL.
enum GeoTag : std::uint16_t {
    kModelPixelScaleTag = 33550,
    kModelTiepointTag = 33922,
    kModelTransformationTag = 34264,
    kGeoKeyDirectoryTag = 34735,
    kGeoDoubleParamsTag = 34736,
    kGeoAsciiParamsTag = 34737,
    kGdalMetadataTag = 42112,
    kGdalNoDataTag = 42113,
    kRpcCoefficientTag = 50844,
};

/// Geo keys that are read (OGC GeoTIFF 1.1, table 1).
enum GeoKey : std::uint16_t {
    kModelTypeKey = 1024,
    kRasterTypeKey = 1025,
    kCitationKey = 1026,
    kGeodeticCrsKey = 2048,
    kGeodeticCitationKey = 2049,
    kGeodeticDatumKey = 2050,
    kPrimeMeridianKey = 2051,
    kAngularUnitsKey = 2054,
    kEllipsoidKey = 2056,
    kSemiMajorAxisKey = 2057,
    kSemiMinorAxisKey = 2058,
    kInverseFlatteningKey = 2059,
    kProjectedCrsKey = 3072,
    kProjectedCitationKey = 3073,
    kProjectionKey = 3074,
    kProjMethodKey = 3075,
    kProjLinearUnitsKey = 3076,
    kProjLinearUnitSizeKey = 3077,
};
/// Value of a key if other keys define its subject instead of an EPSG code.
inline constexpr std::uint16_t kUserDefinedKey = 32767;

/// Values of a tag if it has type @p fieldType and consistent data; else empty.
template <class T>
[[nodiscard]] std::vector<T> geoValues(const std::vector<CopiedTag>& tags, std::uint16_t tag, std::uint16_t fieldType);

/// Text of an ASCII tag up to its first NUL; empty if there is none.
[[nodiscard]] std::string geoText(const std::vector<CopiedTag>& tags, std::uint16_t tag);

/// GDAL's no-data value, which is a text; nothing if it is missing or does not begin with a number.
[[nodiscard]] std::optional<NoData> noDataOf(const std::vector<CopiedTag>& tags);

/// The keys of GeoKeyDirectory; its counts and offsets are checked.
class GeoKeys {
public:
    explicit GeoKeys(const std::vector<CopiedTag>& tags);

    /// Value of a key stored in the directory itself.
    [[nodiscard]] std::optional<std::uint16_t> number(std::uint16_t key) const;
    /// First value of a key stored in GeoDoubleParams, if it is finite.
    [[nodiscard]] std::optional<double> real(std::uint16_t key) const;
    /// Value of a key stored in GeoAsciiParams, without the trailing "|"; empty if there is none.
    [[nodiscard]] std::string text(std::uint16_t key) const;
    /// The text of a projected system in ESRI's form, as GDAL writes it, "PROJCS[...]"; empty if there is none.
    [[nodiscard]] std::string esriText() const;
    /// Whether tie points and transformations refer to pixel centres instead of corners.
    [[nodiscard]] bool pixelIsPoint() const { return number(kRasterTypeKey) == std::uint16_t{2}; }

private:
    struct Entry {
        std::uint16_t key = 0;
        std::uint16_t location = 0;
        std::uint16_t count = 0;
        std::uint16_t value = 0;
    };
    [[nodiscard]] const Entry* find(std::uint16_t key) const;

    std::vector<Entry> entries_;
    std::vector<double> reals_;
    std::string ascii_;
};

/// Metres per linear unit with this EPSG code; 0 for unusual units.
[[nodiscard]] double metresOf(std::uint16_t unit) noexcept;

/// Affine map from pixel corners or centres (by the file's raster type) to the world, x = a + b column + c row.
struct GeoTransform {
    std::array<double, 3> x{};
    std::array<double, 3> y{};
};
/// From ModelTransformation, or ModelPixelScale and the first tie point. Nothing if it is missing or not finite.
[[nodiscard]] std::optional<GeoTransform> geoTransform(const std::vector<CopiedTag>& tags);

/// Whether the tags state the place of the image on a map.
[[nodiscard]] bool hasPlace(const std::vector<CopiedTag>& tags);

/// Tags for a reduced part of the tagged image, whose pixel (i, j) covers scaleX x scaleY pixels from (region.x + i *
/// scaleX, region.y + j * scaleY). Pixels keep their position in the world: tie points, ModelPixelScale,
/// ModelTransformation (for pixels as areas and as points), RPC coefficients and X/YResolution are adjusted; others are
/// kept, e.g. coordinate system, no-data value and GDAL metadata. A single tie point keeps its pixel and changes its
/// position; control points keep their position. Only the corner of @p region matters. Tags of an unexpected type or
/// count are kept.
/// @param scaleX,scaleY px of the tagged image per px of the result, > 0
[[nodiscard]] std::vector<CopiedTag> cropTags(std::vector<CopiedTag> tags, const PixelRegion& region, double scaleX,
                                              double scaleY);
[[nodiscard]] inline std::vector<CopiedTag> cropTags(std::vector<CopiedTag> tags, const PixelRegion& region,
                                                     double scale) {
    return cropTags(std::move(tags), region, scale, scale);
}

/// Adds facts from GeoTIFF and GDAL tags (coordinate system, position of the corner, pixel size, no-data value) and
/// sets ImageInfo::pixelSize in m or degrees if it is unset. Reads info.carried.
void describeGeoTags(ImageInfo& info);

/// The stored value of pixels without data from the facts; carried tags contain it only if it is a level.
[[nodiscard]] std::optional<double> statedNoData(const ImageInfo& info);

} // namespace pollard
