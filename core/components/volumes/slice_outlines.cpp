#include "components/volumes/slice_outlines.hpp"

#include "base/error.hpp"
#include "components/objects/object_files.hpp"
#include "components/outline_files.hpp"
#include "components/outlines.hpp"
#include "geo/geojson_positions.hpp"
#include "io/write/imagej_roi.hpp"
#include "io/write/stored_zip.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

namespace {

/// Calls @p take(slice, outlines, rings) with the rings of each object in each slice.
template <class Take> void forEachSlice(const VolumeComponents& components, std::span<const std::uint32_t> labels,
                                        const JobControl& control, const Take& take) {
    std::vector<bool> isListed(std::size_t{components.count} + 1, false);
    for (const std::uint32_t label : labels) {
        isListed[label] = true;
    }
    const Extent& extent = components.extent;
    for (std::uint32_t slice = 0; slice < extent.slices; ++slice) {
        control.report(static_cast<double>(slice) / extent.slices, "outlines");
        const Outlines outlines =
            traceOutlines(components.labels.span().subspan(slice * extent.slicePixels(), extent.slicePixels()),
                          extent.width, control);
        const std::span<const OutlineRing> rings(outlines.rings);
        for (std::size_t first = 0, last = 0; first < rings.size(); first = last) {
            while (last < rings.size() && rings[last].label == rings[first].label) {
                ++last;
            }
            if (isListed[rings[first].label]) {
                take(slice, outlines, rings.subspan(first, last - first));
            }
        }
    }
}

[[noreturn]] void throwNoMemory(const VolumeComponents& components) {
    throw Error(ErrorCode::outOfMemory,
                "outlines: no memory for those of " + std::to_string(components.count) + " objects");
}

/// With zeros in front, so that names sort as numbers.
std::string padded(std::uint32_t number, std::uint32_t most) {
    std::string text = std::to_string(number);
    return text.insert(0, std::to_string(most).size() - text.size(), '0');
}

} // namespace

void writeSliceOutlines(TextFile& file, const VolumeComponents& components, std::span<const std::uint32_t> labels,
                        const JobControl& control, const VolumeUnit& unit, std::span<const ObjectColumn> further) {
    constexpr std::array kProperties{ObjectFeature::area, ObjectFeature::centroidX, ObjectFeature::centroidY,
                                     ObjectFeature::centroidZ, ObjectFeature::greyMean};
    file << R"({"type":"FeatureCollection",)" << positionsMark(nullptr) << R"("features":[)";
    std::string_view separator;
    try {
        forEachSlice(components, labels, control,
                     [&](std::uint32_t slice, const Outlines& outlines, std::span<const OutlineRing> rings) {
                         const std::uint32_t label = rings.front().label;
                         file << separator;
                         separator = ",";
                         file.endLine(control);
                         file << R"({"type":"Feature","properties":{"label":)" << label << R"(,"slice":)" << slice;
                         writeProperties(file, {components.objects[label - 1], label, unit}, kProperties, unit.unit);
                         writeProperties(file, further, label);
                         file << R"(},"geometry":)";
                         writePolygons(file, outlines, rings, slice);
                         file << '}';
                     });
    } catch (const std::bad_alloc&) {
        throwNoMemory(components);
    }
    file.endLine(control);
    file << "]}";
    file.endLine(control);
}

void writeSliceRois(const std::filesystem::path& path, const VolumeComponents& components,
                    std::span<const std::uint32_t> labels, const JobControl& control) {
    StoredZip zip(path, "write regions");
    std::size_t count = 0;
    try {
        forEachSlice(components, labels, control,
                     [&](std::uint32_t slice, const Outlines& outlines, std::span<const OutlineRing> rings) {
                         control.throwIfStopped();
                         if (++count > StoredZip::kMostFiles) {
                             throw Error(ErrorCode::limitExceeded,
                                         "write regions: the objects have more than 65535 regions in their slices, "
                                         "and a set of ImageJ's regions holds no more");
                         }
                         zip.add(padded(rings.front().label, components.count) + '-' +
                                     padded(slice + 1, components.extent.slices) + ".roi",
                                 roiOf(outlines, rings, slice).bytes());
                     });
    } catch (const std::bad_alloc&) {
        throwNoMemory(components);
    }
    zip.commit();
}

} // namespace pollard
