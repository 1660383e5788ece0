// Any bytes as a vector file: an error in one line, or polygons of finite corners. The last byte selects the format.
#include "memory_file.hpp"
#include "promise.hpp"

#include "base/error.hpp"
#include "geo/vector_layer.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using pollard::fuzz::require;
    if (size == 0) {
        return 0;
    }
    static std::array<pollard::fuzz::FolderFile, 4> files{
        pollard::fuzz::FolderFile("file.csv"), pollard::fuzz::FolderFile("file.fgb"),
        pollard::fuzz::FolderFile("file.shp"), pollard::fuzz::FolderFile("file.gpkg")};
    pollard::fuzz::FolderFile& file = files.at(data[size - 1] & 3U);
    file.assign(data, size - 1);
    try {
        const pollard::VectorPolygons read = pollard::readVectorPolygons(file.path());
        require(!read.polygons.empty(), "one polygon at least");
        for (const pollard::MapPolygon& polygon : read.polygons) {
            for (const pollard::MapRing& ring : polygon) {
                require(ring.size() >= 3, "three corners at least");
                for (const pollard::MapPoint& corner : ring) {
                    require(std::isfinite(corner.x) && std::isfinite(corner.y), "finite corners");
                }
            }
        }
    } catch (const pollard::Error& error) {
        const std::string_view message = error.what();
        require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
    }
    return 0;
}
