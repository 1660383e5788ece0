#include "components/objects/object_files.hpp"

#include "base/error.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_features.hpp"
#include "components/outline_files.hpp"
#include "components/outline_vector.hpp"
#include "geo/earth_polygons.hpp"
#include "geo/geojson_positions.hpp"
#include "image/image.hpp"
#include "io/tiff/tiff_writer.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/csv_field.hpp"
#include "io/write/imagej_roi.hpp"
#include "io/write/stored_zip.hpp"
#include "io/write/text_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace pollard {

namespace {

/// A column of the table, and raw sums after it.
struct Column {
    ObjectFeature feature;
    std::string_view sums; ///< names of the raw sums, in px
};
constexpr std::array kColumns{
    Column{ObjectFeature::label, {}},       Column{ObjectFeature::area, {}},
    Column{ObjectFeature::left, {}},        Column{ObjectFeature::top, {}},
    Column{ObjectFeature::width, {}},       Column{ObjectFeature::height, {}},
    Column{ObjectFeature::centroidX, {}},   Column{ObjectFeature::centroidY, ",sum_x,sum_y,sum_xx,sum_xy,sum_yy"},
    Column{ObjectFeature::major, {}},       Column{ObjectFeature::minor, {}},
    Column{ObjectFeature::orientation, {}}, Column{ObjectFeature::greyMin, {}},
    Column{ObjectFeature::greyMax, {}},     Column{ObjectFeature::greySum, {}},
    Column{ObjectFeature::greyMean, {}},    Column{ObjectFeature::perimeter, {}},
    Column{ObjectFeature::holes, {}},       Column{ObjectFeature::elongation, {}},
    Column{ObjectFeature::circularity, {}}, Column{ObjectFeature::rectangularity, {}},
};

/// Converts the rings of one object to longitude and latitude.
std::vector<MapPolygon> polygonsOnEarth(const MapCoordinates& map, const Outlines& outlines,
                                        std::span<const OutlineRing> rings) {
    std::vector<MapPolygon> found;
    for (auto next = rings.begin(); next != rings.end();) {
        MapPolygon polygon;
        do {
            MapRing& ring = polygon.emplace_back();
            for (const OutlinePoint& point : outlines.pointsOf(*next)) {
                ring.push_back({static_cast<double>(point.x), static_cast<double>(point.y)});
            }
        } while (++next != rings.end() && next->hole);
        std::vector<MapPolygon> parts = earthPolygons(map, polygon);
        std::ranges::move(parts, std::back_inserter(found));
    }
    return found;
}

std::string jsonString(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Integers without an exponent.
void writeNumber(TextFile& file, double value) {
    constexpr double kExact = 0x1p53;
    if (std::abs(value) <= kExact && value == std::trunc(value)) {
        file << static_cast<std::int64_t>(value);
    } else {
        file << value;
    }
}

/// Whether the values do not depend on the unit.
bool isUnscaled(const ObjectFeatureInfo& feature) noexcept {
    return feature.unit != FeatureUnit::volume && dimensionOf(feature.unit) == Dimension::none;
}

/// A class as QuPath reads it; without one there is no property.
void writeClassification(TextFile& file, const ObjectClass* own) {
    if (own == nullptr) {
        return;
    }
    file << R"(,"classification":{"name":)" << jsonString(own->name) << R"(,"color":[)" << (own->colour >> 16U) << ','
         << (own->colour >> 8U & 0xffU) << ',' << (own->colour & 0xffU) << "]}";
}

} // namespace

std::string columnOf(const ObjectFeatureInfo& feature, LengthUnit unit) {
    std::string name(feature.id);
    if (unit == LengthUnit::pixel || isUnscaled(feature)) {
        return name;
    }
    return name + '_' +
           (feature.unit == FeatureUnit::volume ? unitName(unit, Dimension::length) + '3'
                                                : unitName(unit, dimensionOf(feature.unit)));
}

std::string columnOf(ObjectFeature feature, const ObjectUnit& unit) {
    return columnOf(objectFeatureInfo(feature), unit.unit);
}

bool isWhole(const ObjectFeatureInfo& feature, LengthUnit unit) noexcept {
    return feature.integral && (unit == LengthUnit::pixel || isUnscaled(feature));
}

void writeFeature(TextFile& file, ObjectFeature feature, double value, const ObjectUnit& unit) {
    if (isWhole(objectFeatureInfo(feature), unit.unit) && !std::isnan(value)) {
        file << static_cast<std::uint64_t>(value);
    } else {
        file << value;
    }
}

std::string_view nameOf(ObjectFile file) noexcept {
    constexpr std::array<std::string_view, kObjectFiles.size()> kNames{"csv", "labels", "geojson", "rois", "gpkg"};
    return kNames[static_cast<std::size_t>(file)];
}

std::string_view extensionOf(ObjectFile file) noexcept {
    constexpr std::array<std::string_view, kObjectFiles.size()> kExtensions{"csv", "tif", "geojson", "zip", "gpkg"};
    return kExtensions[static_cast<std::size_t>(file)];
}

void writeObjectFile(ObjectFile file, const std::filesystem::path& path, const Components& components,
                     std::span<const std::uint32_t> labels, const TiffWriteOptions& writing, const JobControl& control,
                     const MapCoordinates* map, const ObjectUnit& unit, std::span<const ObjectColumn> further) {
    switch (file) {
    case ObjectFile::table: {
        TextFile text(path, "write table of objects");
        writeObjectTable(text, components, labels, control, unit, further);
        text.commit();
        break;
    }
    case ObjectFile::labels:
        writeObjectLabels(path, components, labels, writing, control);
        break;
    case ObjectFile::outlines: {
        TextFile text(path, "write outlines");
        writeObjectOutlines(text, components, traceOutlines(components, control), labels, control, map, unit, further);
        text.commit();
        break;
    }
    case ObjectFile::regions:
        writeObjectRois(path, components, traceOutlines(components, control), labels, control);
        break;
    case ObjectFile::vector: {
        AtomicFile vector(path, "write outlines");
        writeVectorOutlines(vector, path, components, traceOutlines(components, control), labels, writing.carried,
                            control, unit, further);
        vector.commit();
        break;
    }
    }
}

std::vector<std::uint32_t> allLabels(const Components& components) {
    std::vector<std::uint32_t> labels(components.count);
    std::iota(labels.begin(), labels.end(), 1U);
    return labels;
}

void writeObjectColumns(TextFile& file, const ObjectUnit& unit) {
    for (const auto& [feature, sums] : kColumns) {
        file << (feature == ObjectFeature::label ? "" : ",") << columnOf(feature, unit) << sums;
    }
}

void writeObjectCells(TextFile& file, const ComponentRecord& object, std::uint32_t label, const ObjectUnit& unit) {
    for (const auto& [feature, sums] : kColumns) {
        if (feature != ObjectFeature::label) {
            file << ',';
        }
        if (feature == ObjectFeature::greySum) { // may exceed the exact integers of a double
            file << object.greySum;
        } else {
            writeFeature(file, feature, featureOf(object, label, feature, unit.side), unit);
        }
        if (!sums.empty()) {
            file << ',' << object.sumX << ',' << object.sumY << ',' << object.sumXX << ',' << object.sumXY << ','
                 << object.sumYY;
        }
    }
}

void writeColumnNames(TextFile& file, std::span<const ObjectColumn> columns) {
    for (const ObjectColumn& column : columns) {
        file << ',' << csvField(column.name);
    }
}

void writeColumnCells(TextFile& file, std::span<const ObjectColumn> columns, std::uint32_t label) {
    for (const ObjectColumn& column : columns) {
        file << ',';
        if (column.classes) {
            const ObjectClass* const own = column.classes->classOf(label);
            file << (own != nullptr ? csvField(own->name) : std::string());
        } else if (const double value = column.valueOf(label); !std::isnan(value)) {
            writeNumber(file, value);
        }
    }
}

void writeProperties(TextFile& file, std::span<const ObjectColumn> columns, std::uint32_t label) {
    for (const ObjectColumn& column : columns) {
        if (column.classes) {
            writeClassification(file, column.classes->classOf(label));
            continue;
        }
        file << ',' << jsonString(column.name) << ':';
        if (const double value = column.valueOf(label); std::isfinite(value)) {
            writeNumber(file, value);
        } else {
            file << "null";
        }
    }
}

void writeObjectTable(TextFile& file, const Components& components, std::span<const std::uint32_t> labels,
                      const JobControl& control, const ObjectUnit& unit, std::span<const ObjectColumn> further) {
    writeObjectColumns(file, unit);
    writeColumnNames(file, further);
    file.endLine(control);
    for (const std::uint32_t label : labels) {
        writeObjectCells(file, components.objects[label - 1], label, unit);
        writeColumnCells(file, further, label);
        file.endLine(control);
    }
}

void writeObjectOutlines(TextFile& file, const Components& components, const Outlines& outlines,
                         std::span<const std::uint32_t> labels, const JobControl& control, const MapCoordinates* map,
                         const ObjectUnit& unit, std::span<const ObjectColumn> further) {
    constexpr std::array kProperties{ObjectFeature::area,     ObjectFeature::centroidX, ObjectFeature::centroidY,
                                     ObjectFeature::greyMean, ObjectFeature::perimeter, ObjectFeature::holes};
    const std::vector<std::size_t> firstRing = firstRings(components, outlines);
    const auto ringsOf = [&](std::uint32_t label) {
        return std::span(outlines.rings).subspan(firstRing[label - 1], firstRing[label] - firstRing[label - 1]);
    };
    const int decimals = map == nullptr ? 0 : lonLatDecimals(*map);
    file << R"({"type":"FeatureCollection",)" << positionsMark(map) << R"("features":[)";
    file.endLine(control);
    for (const std::uint32_t label : labels) {
        const ComponentRecord& object = components.objects[label - 1];
        file << R"({"type":"Feature","id":)" << label << R"(,"properties":{"label":)" << label;
        for (const ObjectFeature feature : kProperties) {
            file << ",\"" << columnOf(feature, unit) << "\":";
            writeFeature(file, feature, featureOf(object, label, feature, unit.side), unit);
        }
        writeProperties(file, further, label);
        file << R"(},"geometry":)";
        if (map != nullptr) {
            writeGeometry(file, polygonsOnEarth(*map, outlines, ringsOf(label)), decimals);
            file << (label == labels.back() ? "}" : "},");
            file.endLine(control);
            continue;
        }
        writePolygons(file, outlines, ringsOf(label));
        file << (label == labels.back() ? "}" : "},");
        file.endLine(control);
    }
    file << "]}";
    file.endLine(control);
}

void writeObjectLabels(const std::filesystem::path& path, const Components& components,
                       std::span<const std::uint32_t> labels, const TiffWriteOptions& writing,
                       const JobControl& control) {
    std::vector<std::uint32_t> numbers(std::size_t{components.count} + 1, 0);
    std::uint32_t largest = 0;
    for (const std::uint32_t label : labels) {
        numbers[label] = label;
        largest = std::max(largest, label);
    }
    if (largest <= maxLevelOf(PixelType::u16)) {
        Image image(PixelType::u16, components.width, components.height);
        std::ranges::transform(components.labels, image.pixels<std::uint16_t>().begin(),
                               [&](std::uint32_t label) { return static_cast<std::uint16_t>(numbers[label]); });
        writeTiff(path, image, writing, control);
        return;
    }
    Buffer<std::uint32_t> values(components.labels.size());
    std::ranges::transform(components.labels, values.begin(), [&](std::uint32_t label) { return numbers[label]; });
    writeTiff32(path, values.span(), {components.width, components.height}, writing, control);
}

void writeObjectRois(const std::filesystem::path& path, const Components& components, const Outlines& outlines,
                     std::span<const std::uint32_t> labels, const JobControl& control) {
    if (labels.size() > StoredZip::kMostFiles) {
        throw Error(ErrorCode::limitExceeded, "write regions: " + std::to_string(labels.size()) +
                                                  " objects, and a set of ImageJ's regions holds at most 65535");
    }
    const std::vector<std::size_t> firstRing = firstRings(components, outlines);
    const std::size_t digits = std::to_string(components.count).size();
    StoredZip zip(path, "write regions");
    for (const std::uint32_t label : labels) {
        control.throwIfStopped();
        const auto rings =
            std::span(outlines.rings).subspan(firstRing[label - 1], firstRing[label] - firstRing[label - 1]);
        const RoiBytes roi = roiOf(outlines, rings);
        std::string name = std::to_string(label);
        name.insert(0, digits - name.size(), '0');
        zip.add(name + ".roi", roi.bytes());
    }
    zip.commit();
}

} // namespace pollard
