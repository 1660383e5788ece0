#include "components/objects/object_files.hpp"

#include "base/error.hpp"
#include "components/objects/object_classes.hpp"
#include "components/outline_files/outlines.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "image/image.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/text_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>

namespace pollard {

namespace {

/// Features of the usual table of images. The full table has further ones.
constexpr std::array kUsual = [] {
    using enum ObjectFeature;
    return std::array{label,     area,      left,  top,         width,       height,        centroidX,
                      centroidY, major,     minor, orientation, greyMin,     greyMax,       greySum,
                      greyMean,  perimeter, holes, elongation,  circularity, rectangularity};
}();
/// Further features of the full table of images, before features of hulls, balls and thickness.
constexpr std::array kFurther{ObjectFeature::border, ObjectFeature::imagejPerimeter, ObjectFeature::imagejCircularity};

constexpr std::array kOutlineFeatures{ObjectFeature::area,     ObjectFeature::centroidX, ObjectFeature::centroidY,
                                      ObjectFeature::greyMean, ObjectFeature::perimeter, ObjectFeature::holes};
constexpr std::array kSliceFeatures{ObjectFeature::area, ObjectFeature::centroidX, ObjectFeature::centroidY,
                                    ObjectFeature::centroidZ, ObjectFeature::greyMean};

std::string jsonString(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Writes integers without an exponent.
void writeNumber(TextFile& file, double value) {
    constexpr double kExact = 0x1p53;
    if (std::abs(value) <= kExact && value == std::trunc(value)) {
        file << static_cast<std::int64_t>(value);
    } else {
        file << value;
    }
}

/// Writes the value of a cell; integral values in px are written as integers.
void writeFeature(TextFile& file, const ObjectFeatureInfo& feature, const MeasuredObject& object,
                  const ObjectUnit& unit) {
    const double value = object.valueOf(feature.feature);
    if (feature.feature == ObjectFeature::greySum && object.grey().isLevels()) { // may exceed the integers of a double
        file << object.record().greySum;
    } else if (isWhole(feature, unit)) {
        writeNumber(file, value);
    } else {
        file << tableValue(value, feature, unit.unit);
    }
}

/// Writes a class as QuPath reads it; no property if there is no class.
void writeClassification(TextFile& file, const ObjectClass* own) {
    if (own == nullptr) {
        return;
    }
    file << R"(,"classification":{"name":)" << jsonString(own->name) << R"(,"color":[)" << (own->colour >> 16U) << ','
         << (own->colour >> 8U & 0xffU) << ',' << (own->colour & 0xffU) << "]}";
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

} // namespace

std::string columnOf(const ObjectFeatureInfo& feature, LengthUnit unit) {
    const std::string name(feature.id);
    return isScaled(feature, unit) ? name + '_' + unitName(unit, dimensionOf(feature.unit)) : name;
}

TableFeatures tableFeatures(Connectivity connectivity, std::string_view ids) {
    TableFeatures table;
    const auto add = [&](std::span<const ObjectFeature> features) {
        for (const ObjectFeature feature : features) {
            table.features.push_back(objectFeatureInfo(feature, !isPlanar(connectivity)));
        }
    };
    const std::span<const ObjectFeatureInfo> known = objectFeatures(connectivity);
    const auto addShapes = [&](EdgeMeasure from) {
        std::ranges::copy_if(known, std::back_inserter(table.features),
                             [&](const ObjectFeatureInfo& info) { return ids == kAllFeatures && info.edge >= from; });
    };
    if (!ids.empty() && ids != kAllFeatures) {
        add(parseFeatures(ids, known));
    } else if (isPlanar(connectivity)) {
        table.sums = true;
        add(kUsual);
        add(ids.empty() ? std::span<const ObjectFeature>() : kFurther);
        addShapes(EdgeMeasure::hull);
    } else {
        std::ranges::copy_if(known, std::back_inserter(table.features),
                             [](const ObjectFeatureInfo& info) { return info.edge == EdgeMeasure::none; });
        addShapes(EdgeMeasure::ball);
    }
    return table;
}

EdgeMeasure edgeMeasureOf(const TableFeatures& table) noexcept {
    EdgeMeasure measure = EdgeMeasure::none;
    for (const ObjectFeatureInfo& feature : table.features) {
        measure = std::max(measure, feature.edge);
    }
    return measure;
}

void writeFeatureNames(TextFile& file, const TableFeatures& table, LengthUnit unit) {
    std::string_view separator;
    for (const ObjectFeatureInfo& feature : table.features) {
        file << separator << columnOf(feature, unit);
        separator = ",";
        if (table.sums && feature.feature == ObjectFeature::centroidY) {
            file << ",sum_x,sum_y,sum_xx,sum_xy,sum_yy";
        }
    }
}

void writeFeatureCells(TextFile& file, const TableFeatures& table, const MeasuredObject& object,
                       const ObjectUnit& unit) {
    std::string_view separator;
    for (const ObjectFeatureInfo& feature : table.features) {
        file << separator;
        writeFeature(file, feature, object, unit);
        separator = ",";
        if (table.sums && feature.feature == ObjectFeature::centroidY) {
            const ComponentRecord& r = object.record();
            file << ',' << r.sumX << ',' << r.sumY << ',' << r.sumXX << ',' << r.sumXY << ',' << r.sumYY;
        }
    }
}

void writeObjectTable(TextFile& file, const MeasuredObjects& objects, std::span<const std::uint32_t> labels,
                      const TableFeatures& table, const JobControl& control, std::span<const ObjectColumn> further) {
    const ObjectUnit& unit = objects.unit();
    writeFeatureNames(file, table, unit.unit);
    writeColumnNames(file, further);
    file.endLine(control);
    for (const std::uint32_t label : labels) {
        writeFeatureCells(file, table, objects.object(label), unit);
        writeColumnCells(file, further, label);
        file.endLine(control);
    }
}

std::span<const ObjectFeature> outlineFeatures(const Components& components) noexcept {
    return components.isVolume() ? std::span<const ObjectFeature>(kSliceFeatures) : kOutlineFeatures;
}

void writeProperties(TextFile& file, const MeasuredObjects& objects, std::uint32_t label) {
    const ObjectUnit& unit = objects.unit();
    for (const ObjectFeature feature : outlineFeatures(objects.components())) {
        const ObjectFeatureInfo& info = objectFeatureInfo(feature, objects.components().isVolume());
        file << ",\"" << columnOf(info, unit.unit) << "\":";
        writeFeature(file, info, objects.object(label), unit);
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
                     std::span<const std::uint32_t> labels, const PlaneFacts& facts, const JobControl& control,
                     const MapCoordinates* map, const ObjectUnit& unit, std::span<const ObjectColumn> further) {
    switch (file) {
    case ObjectFile::table: {
        TextFile text(path, "write table of objects");
        writeObjectTable(text, MeasuredObjects(components, nullptr, unit), labels,
                         tableFeatures(components.connectivity), control, further);
        text.commit();
        break;
    }
    case ObjectFile::labels:
        writeObjectLabels(path, components, labels, facts, control);
        break;
    case ObjectFile::outlines: {
        TextFile text(path, "write outlines");
        writeObjectOutlines(text, components, labels, control, map, unit, further);
        text.commit();
        break;
    }
    case ObjectFile::regions:
        writeObjectRois(path, components, labels, control);
        break;
    case ObjectFile::vector: {
        if (components.isVolume()) {
            throw Error(ErrorCode::formatUnsupported,
                        "write outlines: " + path.string() + ": a volume has no place on a map");
        }
        AtomicFile vector(path, "write outlines");
        writeVectorOutlines(vector, path, components, labels, facts.carried, control, unit, further);
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

void writeObjectLabels(const std::filesystem::path& path, const Components& components,
                       std::span<const std::uint32_t> labels, const PlaneFacts& facts, const JobControl& control) {
    std::vector<std::uint32_t> numbers(std::size_t{components.count} + 1, 0);
    std::uint32_t largest = 0;
    for (const std::uint32_t label : labels) {
        numbers[label] = components.numberOf(label);
        largest = std::max(largest, numbers[label]);
    }
    if (largest <= maxLevelOf(PixelType::u16)) {
        Image image(PixelType::u16, components.width, components.height);
        std::ranges::transform(components.labels, image.pixels<std::uint16_t>().begin(),
                               [&](std::uint32_t label) { return static_cast<std::uint16_t>(numbers[label]); });
        writeTiff(path, {measuredRowsOf(image), facts}, {}, control);
        return;
    }
    Buffer<std::uint32_t> values(components.labels.size());
    std::ranges::transform(components.labels, values.begin(), [&](std::uint32_t label) { return numbers[label]; });
    writeTiff(path, {measuredRowsOf(values.span(), {components.width, components.height}), facts}, {}, control);
}

} // namespace pollard
