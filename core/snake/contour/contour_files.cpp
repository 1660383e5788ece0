#include "snake/contour/contour_files.hpp"

#include "base/error.hpp"
#include "geo/earth_polygons.hpp"
#include "geo/vector_layer.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/imagej_roi.hpp"
#include "io/write/stored_zip.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>

namespace pollard {

namespace {

MapPolygon polygonOf(const Contour& contour) {
    MapPolygon polygon(1);
    for (const ContourNode& node : contour) {
        polygon.front().push_back({static_cast<double>(node.x), static_cast<double>(node.y)});
    }
    return polygon;
}

/// Writes the geometry and the end of the feature.
void writePolygon(TextFile& file, const Contour& contour, const MapCoordinates* map) {
    if (map != nullptr) {
        file << R"("geometry":)";
        writeGeometry(file, earthPolygons(*map, polygonOf(contour)), lonLatDecimals(*map));
        file << '}';
        return;
    }
    file << R"("geometry":{"type":"Polygon","coordinates":[[)";
    for (std::size_t i = 0; i <= contour.size() && !contour.empty(); ++i) {
        const ContourNode node = contour[i % contour.size()]; // GeoJSON repeats the first point
        file << (i > 0 ? ",[" : "[") << node.x << ',' << node.y << ']';
    }
    file << "]]}}";
}

void writeEscaped(TextFile& file, std::string_view text) {
    for (const char character : text) {
        switch (character) {
        case '<':
            file << "&lt;";
            break;
        case '>':
            file << "&gt;";
            break;
        case '&':
            file << "&amp;";
            break;
        default: // XML allows no other control characters, even escaped
            file << (static_cast<unsigned char>(character) < 0x20 ? ' ' : character);
        }
    }
}

std::string padded(std::uint64_t number, std::size_t digits) {
    std::string text = std::to_string(number);
    text.insert(0, digits - std::min(digits, text.size()), '0');
    return text;
}

RoiBytes roiOf(const Contour& contour) {
    if (contour.size() > RoiBytes::kMostCorners) {
        throw Error(ErrorCode::limitExceeded, "write regions: a contour of " + std::to_string(contour.size()) +
                                                  " nodes, and ImageJ's regions hold at most 65535");
    }
    if (std::ranges::any_of(contour, [](ContourNode node) {
            return std::max(node.x, node.y) > static_cast<std::int32_t>(RoiBytes::kMostCoordinate);
        })) {
        throw Error(ErrorCode::limitExceeded,
                    "write regions: a contour reaches beyond 32767 px, and ImageJ's regions cannot");
    }
    return ringRoi(RoiType::polygon, std::span(contour));
}

/// @param comma before the first one
void writeProperties(TextFile& file, const std::vector<ContourValue>& values, bool comma) {
    for (const ContourValue& each : values) {
        file << (comma ? ",\"" : "\"") << each.name << "\":";
        each.value ? file << *each.value : file << "null";
        comma = true;
    }
}

} // namespace

void writeContourGeojson(const std::filesystem::path& path, std::span<const FiledContour> contours,
                         const JobControl& control, const MapCoordinates* map) {
    TextFile file(path, "write contour");
    if (contours.size() == 1 && !contours.front().page) {
        file << R"({"type":"Feature",)" << positionsMark(map) << R"("properties":{)";
        writeProperties(file, contours.front().values, false);
        file << "},";
        writePolygon(file, contours.front().nodes, map);
    } else {
        file << R"({"type":"FeatureCollection",)" << positionsMark(map) << R"("features":[)";
        file.endLine(control);
        for (const FiledContour& contour : contours) {
            file << R"({"type":"Feature","properties":{"label":)" << contour.label;
            if (contour.page) {
                file << R"(,")" << contour.axis << R"(":)" << *contour.page;
            }
            writeProperties(file, contour.values, true);
            file << "},";
            writePolygon(file, contour.nodes, map);
            file << (&contour == &contours.back() ? "" : ",");
            file.endLine(control);
        }
        file << "]}";
    }
    file.endLine(control);
    file.commit();
}

void writeContourVector(const std::filesystem::path& path, std::span<const FiledContour> contours,
                        const std::vector<CopiedTag>& tags, const JobControl& control) {
    AtomicFile file(path, "write contour");
    VectorLayer layer(file, path, "contours", tags);
    const bool hasPages = !contours.empty() && contours.front().page;
    layer.addField("label", VectorLayer::Type::integer);
    if (hasPages) {
        layer.addField(std::string(contours.front().axis), VectorLayer::Type::integer);
    }
    for (const ContourValue& each : contours.empty() ? std::vector<ContourValue>() : contours.front().values) {
        layer.addField(each.name, VectorLayer::Type::real);
    }
    for (const FiledContour& contour : contours) {
        control.throwIfStopped();
        std::vector<VectorLayer::Value> values{std::int64_t{contour.label}};
        if (hasPages) {
            values.emplace_back(std::int64_t{contour.page.value_or(0)});
        }
        for (const ContourValue& each : contour.values) {
            each.value ? values.emplace_back(*each.value) : values.emplace_back();
        }
        const MapPolygon polygon = polygonOf(contour.nodes);
        layer.addFeature({&polygon, 1}, values);
    }
    layer.finish();
    file.commit();
}

void writeContourTable(const std::filesystem::path& path, std::span<const FiledContour> contours,
                       const JobControl& control) {
    TextFile file(path, "write table");
    const bool hasPages = !contours.empty() && contours.front().page;
    file << (hasPages ? "page,label,nodes" : "label,nodes");
    for (const ContourValue& each : contours.empty() ? std::vector<ContourValue>() : contours.front().values) {
        file << ',' << each.name;
    }
    file.endLine(control);
    for (const FiledContour& contour : contours) {
        if (hasPages) {
            file << contour.page.value_or(0) << ',';
        }
        file << contour.label << ',' << contour.nodes.size();
        for (const ContourValue& each : contour.values) {
            file << ',';
            if (each.value) {
                file << *each.value;
            }
        }
        file.endLine(control);
    }
    file.commit();
}

void writeContourSvg(const std::filesystem::path& path, std::span<const FiledContour> contours, std::uint32_t width,
                     std::uint32_t height, std::string_view title, const JobControl& control) {
    TextFile file(path, "write contour");
    file << R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" << width << R"(" height=")" << height
         << R"(" viewBox="0 0 )" << width << ' ' << height << R"(">)";
    file.endLine(control);
    if (!title.empty()) {
        file << "<title>";
        writeEscaped(file, title);
        file << "</title>";
        file.endLine(control);
    }
    for (const FiledContour& contour : contours) {
        file << R"(<path fill="none" stroke="#e69f00" vector-effect="non-scaling-stroke" d=")";
        for (std::size_t i = 0; i < contour.nodes.size(); ++i) {
            file << (i == 0 ? "M" : "L") << contour.nodes[i].x << ',' << contour.nodes[i].y << ' ';
        }
        file << R"(Z"/>)";
        file.endLine(control);
    }
    file << "</svg>";
    file.endLine(control);
    file.commit();
}

bool namesRoiSet(const std::filesystem::path& path) { return path.extension() == ".zip"; }

void writeContourRois(const std::filesystem::path& path, std::span<const FiledContour> contours,
                      const JobControl& control) {
    if (!namesRoiSet(path)) {
        if (contours.size() != 1) {
            throw Error(ErrorCode::invalidArgument, "write regions: " + path.string() + ": " +
                                                        std::to_string(contours.size()) +
                                                        " contours need a set of regions, a name that ends in .zip");
        }
        const RoiBytes roi = roiOf(contours.front().nodes);
        AtomicFile file(path, "write regions");
        file.writeAll(roi.bytes().data(), roi.bytes().size());
        file.commit();
        return;
    }
    std::uint32_t mostLabel = 0;
    int lastPage = 0;
    for (const FiledContour& contour : contours) {
        mostLabel = std::max(mostLabel, contour.label);
        lastPage = std::max(lastPage, contour.page.value_or(0));
    }
    StoredZip zip(path, "write regions");
    for (const FiledContour& contour : contours) {
        control.throwIfStopped();
        std::string name = padded(contour.label, std::to_string(mostLabel).size());
        if (contour.page) {
            const std::size_t digits = std::to_string(lastPage).size();
            name.insert(0, padded(static_cast<std::uint64_t>(*contour.page), digits) + '-');
        }
        zip.add(name + ".roi", roiOf(contour.nodes).bytes());
    }
    zip.commit();
}

} // namespace pollard
