#include "component_tables.hpp"

#include "analysis/ellipse.hpp"
#include "text_file.hpp"

namespace pollard::cli {

namespace {

Ellipse ellipseOfObject(const ComponentRecord& object) {
    return ellipseOf({object.area, object.sumX, object.sumY, object.sumXX, object.sumXY, object.sumYY});
}

void writeRing(TextFile& file, const Outlines& outlines, const OutlineRing& ring) {
    const auto points = outlines.pointsOf(ring);
    file << '[';
    for (const OutlinePoint& point : points) {
        file << '[' << point.x << ',' << point.y << "],";
    }
    // The first point again, as GeoJSON wants it.
    file << '[' << points.front().x << ',' << points.front().y << "]]";
}

/// Writes the rings [first, last) of one object as polygons with commas between them.
void writePolygons(TextFile& file, const Outlines& outlines, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
        const bool starts = !outlines.rings[i].hole;
        file << (i == first ? "[" : starts ? "],[" : ",");
        writeRing(file, outlines, outlines.rings[i]);
    }
    file << ']';
}

} // namespace

void writeComponentTable(TextFile& file, const Components& components, const JobControl& control) {
    file << "label,area,left,top,width,height,centroid_x,centroid_y,sum_x,sum_y,sum_xx,sum_xy,sum_yy,"
            "major,minor,orientation,grey_min,grey_max,grey_sum,grey_mean,perimeter,holes";
    file.endLine(control);
    for (std::size_t i = 0; i < components.objects.size(); ++i) {
        const ComponentRecord& object = components.objects[i];
        const Ellipse ellipse = ellipseOfObject(object);
        file << i + 1 << ',' << object.area << ',' << object.left << ',' << object.top << ',' << object.width() << ','
             << object.height() << ',' << object.centroidX() << ',' << object.centroidY() << ',' << object.sumX << ','
             << object.sumY << ',' << object.sumXX << ',' << object.sumXY << ',' << object.sumYY << ',' << ellipse.major
             << ',' << ellipse.minor << ',' << ellipse.angle << ',' << object.greyMin << ',' << object.greyMax << ','
             << object.greySum << ',' << object.greyMean() << ',' << object.perimeter << ',' << object.holes;
        file.endLine(control);
    }
}

void writeComponentOutlines(TextFile& file, const Components& components, const Outlines& outlines,
                            const JobControl& control) {
    file << R"({"type":"FeatureCollection","features":[)";
    file.endLine(control);
    for (std::size_t first = 0; first < outlines.rings.size();) {
        const std::uint32_t label = outlines.rings[first].label;
        std::size_t last = first;
        std::size_t polygons = 0;
        while (last < outlines.rings.size() && outlines.rings[last].label == label) {
            polygons += outlines.rings[last].hole ? 0 : 1;
            ++last;
        }
        const ComponentRecord& object = components.objects[label - 1];
        file << R"({"type":"Feature","id":)" << label << R"(,"properties":{"label":)" << label << R"(,"area":)"
             << object.area << R"(,"centroid_x":)" << object.centroidX() << R"(,"centroid_y":)" << object.centroidY()
             << R"(,"grey_mean":)" << object.greyMean() << R"(,"perimeter":)" << object.perimeter << R"(,"holes":)"
             << object.holes << R"(},"geometry":{"type":)";
        file << (polygons > 1 ? R"("MultiPolygon","coordinates":[)" : R"("Polygon","coordinates":)");
        writePolygons(file, outlines, first, last);
        file << (polygons > 1 ? "]}}" : "}}") << (last < outlines.rings.size() ? "," : "");
        file.endLine(control);
        first = last;
    }
    file << "]}";
    file.endLine(control);
}

} // namespace pollard::cli
