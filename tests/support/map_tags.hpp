#pragma once

#include "geo/map_coordinates.hpp"
#include "io/image_file.hpp"
#include "io/metadata/geo_tags.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

// GeoTIFF tags of images with a map, in libtiff's representation.

namespace pollard::testing {

template <class T> CopiedTag tagOf(std::uint16_t number, std::uint16_t type, const std::vector<T>& values) {
    CopiedTag tag{number, type, values.size(), {}};
    tag.data.resize(values.size() * sizeof(T));
    if (!values.empty()) {
        std::memcpy(tag.data.data(), values.data(), tag.data.size());
    }
    return tag;
}

/// The coordinate system in the keys of an image.
struct MapKeys {
    std::uint16_t model = 1; ///< 1 projected, 2 geographic
    bool points = false;
    std::vector<std::pair<std::uint16_t, std::uint16_t>> numbers; ///< key, value
    std::vector<std::pair<std::uint16_t, double>> reals;
    std::string citation;

    static MapKeys projected(std::uint16_t code) { return {1, false, {{kProjectedCrsKey, code}}, {}, {}}; }
    static MapKeys geographic(std::uint16_t code) { return {2, false, {{kGeodeticCrsKey, code}}, {}, {}}; }
};

/// From column and row to the map: x = x[0] + x[1] column + x[2] row.
struct Affine {
    std::array<double, 3> x{};
    std::array<double, 3> y{};
};

inline std::vector<CopiedTag> mapTags(const MapKeys& keys) {
    constexpr std::uint16_t kAscii = 2;
    constexpr std::uint16_t kShort = 3;
    constexpr std::uint16_t kDouble = 12;
    std::vector<std::uint16_t> entries{kModelTypeKey,  0, 1, keys.model,
                                       kRasterTypeKey, 0, 1, static_cast<std::uint16_t>(keys.points ? 2 : 1)};
    for (const auto& [key, value] : keys.numbers) {
        entries.insert(entries.end(), {key, 0, 1, value});
    }
    std::vector<double> reals;
    for (const auto& [key, value] : keys.reals) {
        entries.insert(entries.end(), {key, kGeoDoubleParamsTag, 1, static_cast<std::uint16_t>(reals.size())});
        reals.push_back(value);
    }
    if (!keys.citation.empty()) {
        entries.insert(entries.end(),
                       {kCitationKey, kGeoAsciiParamsTag, static_cast<std::uint16_t>(keys.citation.size() + 1), 0});
    }
    std::vector<std::uint16_t> directory{1, 1, 0, static_cast<std::uint16_t>(entries.size() / 4)};
    directory.insert(directory.end(), entries.begin(), entries.end());
    std::vector<CopiedTag> tags{tagOf(kGeoKeyDirectoryTag, kShort, directory)};
    if (!reals.empty()) {
        tags.push_back(tagOf(kGeoDoubleParamsTag, kDouble, reals));
    }
    if (!keys.citation.empty()) {
        const std::string text = keys.citation + "|";
        tags.push_back(
            tagOf(kGeoAsciiParamsTag, kAscii, std::vector<char>(text.c_str(), text.c_str() + text.size() + 1)));
    }
    return tags;
}

/// An image whose first corner is at (x, y), with pixels of width by height, rows southwards.
inline std::vector<CopiedTag> mapTags(const MapKeys& keys, double x, double y, double width, double height) {
    constexpr std::uint16_t kDouble = 12;
    std::vector<CopiedTag> tags = mapTags(keys);
    tags.push_back(tagOf<double>(kModelPixelScaleTag, kDouble, {width, height, 0}));
    tags.push_back(tagOf<double>(kModelTiepointTag, kDouble, {0, 0, 0, x, y, 0}));
    return tags;
}

inline std::vector<CopiedTag> mapTags(const MapKeys& keys, const Affine& map) {
    constexpr std::uint16_t kDouble = 12;
    std::vector<CopiedTag> tags = mapTags(keys);
    tags.push_back(
        tagOf<double>(kModelTransformationTag, kDouble,
                      {map.x[1], map.x[2], 0, map.x[0], map.y[1], map.y[2], 0, map.y[0], 0, 0, 0, 0, 0, 0, 0, 1}));
    return tags;
}

/// Whether this build converts map coordinates to longitude and latitude.
inline bool hasProj() {
    try {
        return MapCoordinates::of(mapTags(MapKeys::geographic(4326), 0, 0, 1, 1), 1, 1) != nullptr;
    } catch (const std::exception&) {
        return false;
    }
}
#define POLLARD_NEED_PROJ()                                                                                            \
    if (!::pollard::testing::hasProj()) {                                                                              \
        GTEST_SKIP() << "this build has no PROJ";                                                                      \
    }                                                                                                                  \
    static_assert(true)

} // namespace pollard::testing
