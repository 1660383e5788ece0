#include "components/outline_files/json_outlines.hpp"

#include "base/error.hpp"
#include "json/json_members.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

namespace pollard {
namespace {

using nlohmann::json;

constexpr double kMostNumber = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void damaged(const std::string& why) { throw Error(ErrorCode::fileDamaged, why); }
[[noreturn]] void unsupported(const std::string& why) { throw Error(ErrorCode::formatUnsupported, why); }

std::optional<std::uint32_t> wholeIn(const json* value, double least) {
    const bool isWhole = value != nullptr && value->is_number() && value->get<double>() >= least &&
                         value->get<double>() <= kMostNumber &&
                         value->get<double>() == std::trunc(value->get<double>());
    return isWhole ? std::optional(static_cast<std::uint32_t>(value->get<double>())) : std::nullopt;
}

const json& listIn(const json& owner, const char* key) {
    const json* const list = memberOf(owner, key);
    if (list == nullptr || !list->is_array()) {
        damaged(std::string("it has no list of ") + key);
    }
    return *list;
}

double numberIn(const json& value) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
        damaged("a corner is no pair of numbers");
    }
    return value.get<double>();
}

// GeoJSON.

OutlinePolygon polygonIn(const json& rings) {
    OutlinePolygon polygon;
    for (const json& positions : rings) {
        OutlineLoop& ring = polygon.emplace_back();
        for (const json& position : positions) {
            if (!position.is_array() || position.size() < 2) {
                damaged("a corner is no pair of numbers");
            }
            ring.push_back({numberIn(position[0]), numberIn(position[1])});
        }
    }
    return polygon;
}

void addPolygons(const json& geometry, std::vector<OutlinePolygon>& polygons) {
    const json* const type = memberOf(geometry, "type");
    if (type != nullptr && *type == "Polygon") {
        polygons.push_back(polygonIn(listIn(geometry, "coordinates")));
    } else if (type != nullptr && *type == "MultiPolygon") {
        for (const json& rings : listIn(geometry, "coordinates")) {
            polygons.push_back(polygonIn(rings));
        }
    } else {
        unsupported("it has something else than polygons");
    }
}

StoredOutline outlineOf(const json& feature) {
    const json* const type = memberOf(feature, "type");
    StoredOutline outline;
    if (type == nullptr || *type != "Feature") {
        addPolygons(feature, outline.polygons);
        return outline;
    }
    const json* const properties = memberOf(feature, "properties");
    const json none;
    outline.number = wholeIn(memberOf(properties != nullptr ? *properties : none, "label"), 1);
    if (!outline.number) {
        outline.number = wholeIn(memberOf(feature, "id"), 1);
    }
    outline.slice = wholeIn(memberOf(properties != nullptr ? *properties : none, "slice"), 0);
    const json* const geometry = memberOf(feature, "geometry");
    addPolygons(geometry != nullptr ? *geometry : none, outline.polygons);
    return outline;
}

std::vector<StoredOutline> outlinesOfGeoJson(const json& text) {
    if (memberOf(text, "pollard_coordinates") != nullptr) {
        unsupported("its positions are longitudes and latitudes; write the outlines in px");
    }
    const json* const type = memberOf(text, "type");
    std::vector<StoredOutline> outlines;
    if (text.is_array() || (type != nullptr && *type == "FeatureCollection")) { // QuPath also writes a list of features
        for (const json& feature : text.is_array() ? text : listIn(text, "features")) {
            outlines.push_back(outlineOf(feature));
        }
    } else {
        outlines.push_back(outlineOf(text));
    }
    return outlines;
}

// COCO. (Lin and others, "Microsoft COCO: common objects in context", 2014; maskApi.c of pycocotools)

/// The runs of a compressed mask: numbers of 5 bits a character, from the fourth on differences to the number two
/// before.
std::vector<std::uint64_t> runsIn(const std::string& text) {
    constexpr unsigned kFirst = 48;
    constexpr unsigned kMore = 0x20;
    constexpr unsigned kSign = 0x10;
    std::vector<std::uint64_t> runs;
    for (std::size_t at = 0; at != text.size();) {
        std::int64_t value = 0;
        unsigned shift = 0;
        for (bool more = true; more; shift += 5) {
            const unsigned code = at == text.size() ? kMore << 1U : static_cast<unsigned char>(text[at++]) - kFirst;
            if (code >= kMore << 1U || shift > 30) {
                damaged("the runs of a mask are damaged");
            }
            value |= static_cast<std::int64_t>(code & (kMore - 1)) << shift;
            more = (code & kMore) != 0;
            if (!more && (code & kSign) != 0) {
                value |= -(std::int64_t{1} << (shift + 5));
            }
        }
        value += runs.size() > 2 ? static_cast<std::int64_t>(runs[runs.size() - 2]) : 0;
        if (value < 0) {
            damaged("the runs of a mask are damaged");
        }
        runs.push_back(static_cast<std::uint64_t>(value));
    }
    return runs;
}

void addMask(const json& mask, const Extent& extent, StoredOutline& outline) {
    const json& size = listIn(mask, "size");
    if (size.size() != 2 || size[0] != extent.height || size[1] != extent.width) {
        damaged("a mask has the size " + size.dump() + ", the image has " + text(extent));
    }
    const json* const counts = memberOf(mask, "counts");
    if (counts != nullptr && counts->is_string()) {
        outline.runs = runsIn(counts->get<std::string>());
        return;
    }
    for (const json& count : listIn(mask, "counts")) {
        const std::optional<std::uint32_t> run = wholeIn(&count, 0);
        if (!run) {
            damaged("the runs of a mask are damaged");
        }
        outline.runs.push_back(*run);
    }
}

std::vector<StoredOutline> outlinesOfCoco(const json& text, const Extent& extent, const std::string& image) {
    const json& images = listIn(text, "images");
    const auto isIt = [&](const json& each) {
        const json* const name = memberOf(each, "file_name");
        return name != nullptr && name->is_string() &&
               std::filesystem::path(name->get<std::string>()).filename() == image;
    };
    const auto named = std::ranges::find_if(images, isIt);
    if (named == images.end() && images.size() != 1) {
        damaged("it has " + std::to_string(images.size()) + " images, none of the name '" + image + "'");
    }
    const json* const id = memberOf(named == images.end() ? images[0] : *named, "id");
    std::vector<StoredOutline> outlines;
    for (const json& annotation : listIn(text, "annotations")) {
        const json* const of = memberOf(annotation, "image_id");
        const json* const area = memberOf(annotation, "segmentation");
        if (area == nullptr || (of != nullptr && id != nullptr && *of != *id)) {
            continue;
        }
        StoredOutline outline;
        outline.number = wholeIn(memberOf(annotation, "id"), 1);
        if (area->is_object()) {
            addMask(*area, extent, outline);
        } else {
            for (const json& numbers : *area) {
                if (!numbers.is_array()) {
                    damaged("a polygon is no list of numbers");
                }
                OutlineLoop ring;
                for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
                    ring.push_back({numberIn(numbers[i]), numberIn(numbers[i + 1])});
                }
                outline.polygons.push_back({ring});
            }
        }
        outlines.push_back(std::move(outline));
    }
    return outlines;
}

} // namespace

std::vector<StoredOutline> outlinesOfJson(const std::string& text, const Extent& extent, const std::string& image) {
    const json parsed = parseJson(text, "outlines", {.maxDepth = 16, .maxBytes = std::uint64_t{4} << 30U});
    return memberOf(parsed, "annotations") != nullptr ? outlinesOfCoco(parsed, extent, image)
                                                      : outlinesOfGeoJson(parsed);
}

} // namespace pollard
