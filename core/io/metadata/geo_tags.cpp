#include "io/metadata/geo_tags.hpp"

#include "base/text.hpp"
#include "io/metadata/fact_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

namespace pollard {

namespace {

constexpr std::uint16_t kShortType = 3;
constexpr std::uint16_t kDoubleType = 12;
constexpr std::size_t kHeaderShorts = 4;
constexpr std::size_t kEntryShorts = 4;

const CopiedTag* findTag(const std::vector<CopiedTag>& tags, std::uint16_t number) {
    const auto at = std::find_if(tags.begin(), tags.end(), [&](const CopiedTag& tag) { return tag.tag == number; });
    return at == tags.end() ? nullptr : &*at;
}

bool isFinite(const std::array<double, 3>& row) {
    return std::all_of(row.begin(), row.end(), [](double v) { return std::isfinite(v); });
}

} // namespace

template <class T>
std::vector<T> geoValues(const std::vector<CopiedTag>& tags, std::uint16_t tag, std::uint16_t fieldType) {
    const CopiedTag* found = findTag(tags, tag);
    if (found == nullptr || found->fieldType != fieldType || found->data.size() % sizeof(T) != 0 ||
        found->data.size() / sizeof(T) != found->count) {
        return {};
    }
    std::vector<T> values(found->data.size() / sizeof(T));
    if (!values.empty()) {
        std::memcpy(values.data(), found->data.data(), found->data.size());
    }
    return values;
}

template std::vector<std::uint16_t> geoValues(const std::vector<CopiedTag>&, std::uint16_t, std::uint16_t);
template std::vector<double> geoValues(const std::vector<CopiedTag>&, std::uint16_t, std::uint16_t);

std::string geoText(const std::vector<CopiedTag>& tags, std::uint16_t tag) {
    constexpr std::uint16_t kAsciiType = 2;
    const CopiedTag* found = findTag(tags, tag);
    if (found == nullptr || found->fieldType != kAsciiType) {
        return {};
    }
    const auto* first = reinterpret_cast<const char*>(found->data.data());
    return {first, std::find(first, first + found->data.size(), '\0')};
}

std::optional<NoData> noDataOf(const std::vector<CopiedTag>& tags) {
    return NoData::parse(geoText(tags, kGdalNoDataTag));
}

GeoKeys::GeoKeys(const std::vector<CopiedTag>& tags)
    : reals_(geoValues<double>(tags, kGeoDoubleParamsTag, kDoubleType)), ascii_(geoText(tags, kGeoAsciiParamsTag)) {
    const auto shorts = geoValues<std::uint16_t>(tags, kGeoKeyDirectoryTag, kShortType);
    if (shorts.size() < kHeaderShorts) {
        return;
    }
    const std::size_t count = std::min<std::size_t>(shorts[3], (shorts.size() - kHeaderShorts) / kEntryShorts);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint16_t* entry = shorts.data() + kHeaderShorts + i * kEntryShorts;
        entries_.push_back({entry[0], entry[1], entry[2], entry[3]});
    }
}

const GeoKeys::Entry* GeoKeys::find(std::uint16_t key) const {
    const auto at =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
    return at == entries_.end() ? nullptr : &*at;
}

std::optional<std::uint16_t> GeoKeys::number(std::uint16_t key) const {
    const Entry* entry = find(key);
    return entry != nullptr && entry->location == 0 ? std::optional(entry->value) : std::nullopt;
}

std::optional<double> GeoKeys::real(std::uint16_t key) const {
    const Entry* entry = find(key);
    const bool found = entry != nullptr && entry->location == kGeoDoubleParamsTag && entry->count > 0 &&
                       entry->value < reals_.size() && std::isfinite(reals_[entry->value]);
    return found ? std::optional(reals_[entry->value]) : std::nullopt;
}

std::string GeoKeys::esriText() const {
    constexpr std::string_view kMark = "ESRI PE String = ";
    constexpr std::string_view kProjected = "PROJCS[";
    for (const std::uint16_t key : {kProjectedCitationKey, kCitationKey}) {
        const std::string citation = text(key);
        // An extension can name files of PROJ.
        if (citation.starts_with(kMark) && citation.compare(kMark.size(), kProjected.size(), kProjected) == 0 &&
            citation.find("EXTENSION") == std::string::npos) {
            return citation.substr(kMark.size());
        }
    }
    return {};
}

std::string GeoKeys::text(std::uint16_t key) const {
    const Entry* entry = find(key);
    if (entry == nullptr || entry->location != kGeoAsciiParamsTag || entry->value >= ascii_.size()) {
        return {};
    }
    std::string text = ascii_.substr(entry->value, entry->count);
    text.resize(std::min(text.find('|'), text.size()));
    return text;
}

double metresOf(std::uint16_t unit) noexcept {
    struct Unit {
        std::uint16_t code;
        double metres;
    };
    constexpr std::array<Unit, 5> kUnits = {
        {{9001, 1.0}, {9002, 0.3048}, {9003, 1200.0 / 3937.0}, {9036, 1000.0}, {9030, 1852.0}}};
    for (const Unit& known : kUnits) {
        if (known.code == unit) {
            return known.metres;
        }
    }
    return 0;
}

std::optional<GeoTransform> geoTransform(const std::vector<CopiedTag>& tags) {
    GeoTransform map;
    const auto matrix = geoValues<double>(tags, kModelTransformationTag, kDoubleType);
    const auto scale = geoValues<double>(tags, kModelPixelScaleTag, kDoubleType);
    const auto tie = geoValues<double>(tags, kModelTiepointTag, kDoubleType);
    if (matrix.size() == 16) {
        map.x = {matrix[3], matrix[0], matrix[1]};
        map.y = {matrix[7], matrix[4], matrix[5]};
    } else if (scale.size() >= 2 && tie.size() >= 6) {
        map.x = {tie[3] - tie[0] * scale[0], scale[0], 0};
        map.y = {tie[4] + tie[1] * scale[1], 0, -scale[1]};
    } else {
        return std::nullopt;
    }
    return isFinite(map.x) && isFinite(map.y) ? std::optional(map) : std::nullopt;
}

namespace {

constexpr const char* kNoDataFact = "No-data value";

constexpr std::uint16_t kXResolutionTag = 282;
constexpr std::uint16_t kYResolutionTag = 283;
constexpr std::uint16_t kRationalType = 5;
constexpr std::size_t kTiepointDoubles = 6;

/// Maps column and row of the part to the tagged image: old = scale * new + shift.
struct Placement {
    double scaleX = 1;
    double scaleY = 1;
    double shiftX = 0;
    double shiftY = 0;
};

template <class T> std::vector<T> valuesOf(const CopiedTag& tag) {
    std::vector<T> values(tag.data.size() / sizeof(T));
    if (!values.empty()) {
        std::memcpy(values.data(), tag.data.data(), values.size() * sizeof(T));
    }
    return values;
}

template <class T> void store(CopiedTag& tag, const std::vector<T>& values) {
    std::memcpy(tag.data.data(), values.data(), std::min(tag.data.size(), values.size() * sizeof(T)));
}

void scaleResolution(CopiedTag& tag, double scale) {
    if (tag.fieldType == kRationalType && tag.count == 1 && tag.data.size() == sizeof(float)) {
        store<float>(tag, {static_cast<float>(valuesOf<float>(tag)[0] / scale)});
    }
}

/// A single tie point with ModelPixelScale defines the position: its pixel, usually (0, 0), is kept, because some
/// programs expect it. Several tie points are control points, whose pixels are adjusted.
void moveTiepoints(CopiedTag& tag, const Placement& place, const std::vector<double>& pixelScale) {
    auto tie = valuesOf<double>(tag);
    if (tie.size() == kTiepointDoubles && pixelScale.size() >= 2) {
        tie[3] += (place.scaleX * tie[0] + place.shiftX - tie[0]) * pixelScale[0];
        tie[4] -= (place.scaleY * tie[1] + place.shiftY - tie[1]) * pixelScale[1];
    } else {
        for (std::size_t i = 0; i + kTiepointDoubles <= tie.size(); i += kTiepointDoubles) {
            tie[i] = (tie[i] - place.shiftX) / place.scaleX;
            tie[i + 1] = (tie[i + 1] - place.shiftY) / place.scaleY;
        }
    }
    store(tag, tie);
}

void moveTransformation(CopiedTag& tag, const Placement& place) {
    auto matrix = valuesOf<double>(tag);
    if (matrix.size() != 16) {
        return;
    }
    for (std::size_t row = 0; row < 16; row += 4) {
        matrix[row + 3] += matrix[row] * place.shiftX + matrix[row + 1] * place.shiftY;
        matrix[row] *= place.scaleX;
        matrix[row + 1] *= place.scaleY;
    }
    store(tag, matrix);
}

/// Line and sample offsets of rational polynomials refer to pixel centres, for either raster type.
void moveRpc(CopiedTag& tag, const PixelRegion& region, double scaleX, double scaleY) {
    constexpr std::size_t kLineOffset = 2;
    constexpr std::size_t kSampleOffset = 3;
    constexpr std::size_t kLineScale = 7;
    constexpr std::size_t kSampleScale = 8;
    auto values = valuesOf<double>(tag);
    if (values.size() <= kSampleScale) {
        return;
    }
    values[kLineOffset] = (values[kLineOffset] + 0.5 - region.y) / scaleY - 0.5;
    values[kSampleOffset] = (values[kSampleOffset] + 0.5 - region.x) / scaleX - 0.5;
    values[kLineScale] /= scaleY;
    values[kSampleScale] /= scaleX;
    store(tag, values);
}

enum class Model { unknown, projected, geographic };

/// Proportions of pixels in an unknown unit; nothing for squares.
std::optional<VoxelSides> spacingOf(const GeoTransform& map) {
    const VoxelSides sides{std::hypot(map.x[1], map.y[1]), std::hypot(map.x[2], map.y[2]), 0};
    const auto usable = [](double v) { return v > 0 && std::isfinite(v); };
    return usable(sides.x) && usable(sides.y) && sides.x != sides.y ? std::optional(sides) : std::nullopt;
}

/// Metres of the unit of a projected system, which is the last one in its text; 0 if it is not stated.
double esriUnit(const std::string& text) {
    const std::size_t at = text.rfind("UNIT[\"");
    const std::size_t comma = at == std::string::npos ? at : text.find(',', at);
    double metres = 0;
    if (comma != std::string::npos) {
        std::from_chars(text.data() + comma + 1, text.data() + text.size(), metres);
    }
    return metres;
}

/// The name of a system in its text.
std::string esriName(const std::string& text) {
    const std::size_t from = text.find('"') + 1;
    return text.substr(from, text.find('"', from) - from);
}

/// "WGS 84 / UTM zone 32N (EPSG:32632)" from the most specific name.
std::string coordinateSystem(const GeoKeys& keys, Model model) {
    if (const std::string esri = keys.esriText(); !esri.empty()) {
        return factText(esriName(esri));
    }
    const bool projected = model == Model::projected;
    std::string name = keys.text(projected ? kProjectedCitationKey : kGeodeticCitationKey);
    if (name.empty()) {
        name = keys.text(kCitationKey);
    }
    name = factText(name);
    const auto code = keys.number(projected ? kProjectedCrsKey : kGeodeticCrsKey);
    if (code && *code != 0 && *code != kUserDefinedKey) {
        const std::string epsg = "EPSG:" + std::to_string(*code);
        return name.empty() ? epsg : name + " (" + epsg + ")";
    }
    return name;
}

Model modelOf(const GeoKeys& keys) {
    constexpr std::uint16_t kProjected = 1;
    constexpr std::uint16_t kGeographic = 2;
    const auto type = keys.number(kModelTypeKey);
    return type == kProjected || !keys.esriText().empty() ? Model::projected
           : type == kGeographic                          ? Model::geographic
                                                          : Model::unknown;
}

std::optional<PixelSize> pixelSizeOf(const GeoTransform& map, const GeoKeys& keys, Model model) {
    PixelSize size{std::hypot(map.x[1], map.y[1]), std::hypot(map.x[2], map.y[2]), "", "GeoTIFF", false};
    if (model == Model::geographic) {
        size.unit = "°";
    } else if (model == Model::projected) {
        // An EPSG code alone does not define the unit here; it is almost always the metre.
        const std::string esri = keys.esriText();
        const double metres = esri.empty() ? metresOf(keys.number(kProjLinearUnitsKey).value_or(9001)) : esriUnit(esri);
        size.unit = "m";
        size.x *= metres;
        size.y *= metres;
    }
    const auto usable = [](double v) { return v > 0 && std::isfinite(v); };
    return !size.unit.empty() && usable(size.x) && usable(size.y) ? std::optional(size) : std::nullopt;
}

} // namespace

bool hasPlace(const std::vector<CopiedTag>& tags) {
    return std::ranges::any_of(tags, [](const CopiedTag& tag) {
        return tag.tag == kModelTiepointTag || tag.tag == kModelTransformationTag || tag.tag == kGeoKeyDirectoryTag;
    });
}

std::vector<CopiedTag> cropTags(std::vector<CopiedTag> tags, const PixelRegion& region, double scaleX, double scaleY) {
    // The first pixel of the part starts at pixel region.x; the centre of a larger pixel is further on.
    const double centre = GeoKeys(tags).pixelIsPoint() ? 0.5 : 0.0;
    const Placement place{scaleX, scaleY, region.x + centre * (scaleX - 1), region.y + centre * (scaleY - 1)};
    const auto pixelScale = geoValues<double>(tags, kModelPixelScaleTag, kDoubleType);
    for (CopiedTag& tag : tags) {
        if (tag.tag == kXResolutionTag) {
            scaleResolution(tag, scaleX);
        } else if (tag.tag == kYResolutionTag) {
            scaleResolution(tag, scaleY);
        } else if (tag.fieldType != kDoubleType || tag.data.size() != tag.count * sizeof(double)) {
            continue;
        } else if (tag.tag == kModelTiepointTag) {
            moveTiepoints(tag, place, pixelScale);
        } else if (tag.tag == kModelPixelScaleTag && tag.count >= 2) {
            auto values = valuesOf<double>(tag);
            values[0] *= scaleX;
            values[1] *= scaleY;
            store(tag, values);
        } else if (tag.tag == kModelTransformationTag) {
            moveTransformation(tag, place);
        } else if (tag.tag == kRpcCoefficientTag) {
            moveRpc(tag, region, scaleX, scaleY);
        }
    }
    return tags;
}

void describeGeoTags(ImageInfo& info) {
    const GeoKeys keys(info.carried);
    const Model model = modelOf(keys);
    if (const std::string system = coordinateSystem(keys, model); !system.empty()) {
        info.facts.emplace_back("Coordinate system", system);
    }
    if (const auto map = geoTransform(info.carried)) {
        const double first = keys.pixelIsPoint() ? -0.5 : 0.0;
        info.facts.emplace_back("Upper left corner", factNumber(map->x[0] + first * (map->x[1] + map->x[2])) + ", " +
                                                         factNumber(map->y[0] + first * (map->y[1] + map->y[2])));
        const bool rotated = map->x[2] != 0 || map->y[1] != 0;
        info.facts.emplace_back("Map units per pixel", factNumber(std::hypot(map->x[1], map->y[1])) + " x " +
                                                           factNumber(std::hypot(map->x[2], map->y[2])) +
                                                           (rotated ? ", rotated" : ""));
        if (!info.pixelSize) {
            if (auto size = pixelSizeOf(*map, keys, model)) {
                info.pixelSize = std::move(size);
            } else if (!info.spacing) {
                info.spacing = spacingOf(*map);
            }
        }
    }
    if (const std::string noData = geoText(info.carried, kGdalNoDataTag); !noData.empty()) {
        info.facts.emplace_back(kNoDataFact, factText(noData));
    }
}

std::optional<double> statedNoData(const ImageInfo& info) {
    const auto fact = std::ranges::find(info.facts, std::string_view(kNoDataFact),
                                        [](const auto& each) { return std::string_view(each.first); });
    return fact == info.facts.end() ? std::nullopt : leadingNumber(fact->second);
}

} // namespace pollard
