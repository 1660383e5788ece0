#include "session/session.hpp"

#include <algorithm>

namespace pollard {

namespace fs = std::filesystem;

std::vector<fs::path> placesOf(const SessionImage& image, const fs::path& session) {
    const fs::path folder = session.parent_path();
    const fs::path absolute = fs::path(image.absolute);
    std::vector<fs::path> places;
    const auto add = [&places](const fs::path& place) {
        const fs::path normal = place.lexically_normal();
        if (std::find(places.begin(), places.end(), normal) == places.end()) {
            places.push_back(normal);
        }
    };
    if (!image.relative.empty()) {
        add(folder / fs::path(image.relative));
    }
    add(absolute);
    add(folder / absolute.filename());
    return places;
}

void setPlace(SessionImage& image, const fs::path& file, const fs::path& session) {
    const fs::path normal = file.lexically_normal();
    image.absolute = normal.generic_string();
    image.relative = normal.lexically_relative(session.parent_path().lexically_normal()).generic_string();
}

} // namespace pollard
