#include "components/outline_vector.hpp"

#include "components/objects/object_classes.hpp"
#include "components/objects/object_features.hpp"
#include "geo/vector_layer.hpp"

#include <array>
#include <cstddef>

namespace pollard {

namespace {

constexpr std::array kProperties{ObjectFeature::area,     ObjectFeature::centroidX, ObjectFeature::centroidY,
                                 ObjectFeature::greyMean, ObjectFeature::perimeter, ObjectFeature::holes};

/// An outer ring and its holes for each part of an object.
std::vector<MapPolygon> partsOf(const Outlines& outlines, std::span<const OutlineRing> rings) {
    std::vector<MapPolygon> parts;
    for (const OutlineRing& ring : rings) {
        if (!ring.hole) {
            parts.emplace_back();
        }
        MapRing& corners = parts.back().emplace_back();
        for (const OutlinePoint& point : outlines.pointsOf(ring)) {
            corners.push_back({static_cast<double>(point.x), static_cast<double>(point.y)});
        }
    }
    return parts;
}

VectorLayer::Value valueOf(const ObjectColumn& column, std::uint32_t label) {
    if (!column.classes) {
        return column.valueOf(label);
    }
    const ObjectClass* own = column.classes->classOf(label);
    return own != nullptr ? VectorLayer::Value(own->name) : VectorLayer::Value();
}

} // namespace

void writeVectorOutlines(AtomicFile& file, const std::filesystem::path& path, const Components& components,
                         const Outlines& outlines, std::span<const std::uint32_t> labels,
                         const std::vector<CarriedTag>& tags, const JobControl& control, const ObjectUnit& unit,
                         std::span<const ObjectColumn> further) {
    VectorLayer layer(file, path, "objects", tags);
    layer.addField("label", VectorLayer::Type::integer);
    for (const ObjectFeature property : kProperties) {
        layer.addField(columnOf(property, unit), VectorLayer::Type::real);
    }
    for (const ObjectColumn& column : further) {
        layer.addField(column.name, column.classes ? VectorLayer::Type::text : VectorLayer::Type::real);
    }
    const std::vector<std::size_t> firstRing = firstRings(components, outlines);
    for (const std::uint32_t label : labels) {
        control.throwIfStopped();
        std::vector<VectorLayer::Value> values{std::int64_t{label}};
        for (const ObjectFeature property : kProperties) {
            values.emplace_back(featureOf(components.objects[label - 1], label, property, unit.side));
        }
        for (const ObjectColumn& column : further) {
            values.push_back(valueOf(column, label));
        }
        layer.addFeature(
            partsOf(outlines,
                    std::span(outlines.rings).subspan(firstRing[label - 1], firstRing[label] - firstRing[label - 1])),
            values);
    }
    layer.finish();
}

} // namespace pollard
