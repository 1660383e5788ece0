#include "components/outline_files/label_outlines.hpp"

#include "base/error.hpp"
#include "components/outline_files/json_outlines.hpp"
#include "components/outline_files/outline_painter.hpp"
#include "components/outline_files/roi_outlines.hpp"
#include "io/read_support.hpp"
#include "io/write/atomic_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace pollard {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20U;

std::string bytesOf(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        throw Error(ErrorCode::fileNotFound, "no such file");
    }
    const std::uintmax_t size =
        std::filesystem::is_regular_file(path, ignored) ? std::filesystem::file_size(path, ignored) : 0;
    if (size > kMostBytes) {
        throw Error(ErrorCode::limitExceeded, "more than 256 MiB of outlines are not read");
    }
    std::string bytes(size, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    if (size == 0 || file.gcount() != static_cast<std::streamsize>(size)) {
        throw Error(ErrorCode::fileUnreadable, "it is empty or cannot be read");
    }
    return bytes;
}

std::vector<StoredOutline> outlinesIn(const std::filesystem::path& path, const Extent& extent,
                                      const std::string& image) {
    const std::string bytes = bytesOf(path);
    const std::string ending = knownEnding(path);
    return ending == ".zip"   ? outlinesOfZip(bytes, extent.isVolume())
           : ending == ".roi" ? std::vector{outlineOfRoi(bytes, path.stem().string(), extent.isVolume())}
                              : outlinesOfJson(bytes, extent, image);
}

} // namespace

bool namesOutlines(const std::filesystem::path& path) {
    constexpr std::array<std::string_view, 4> kEndings{".geojson", ".json", ".roi", ".zip"};
    return std::ranges::find(kEndings, knownEnding(path)) != kEndings.end() &&
           !path.filename().string().ends_with(".zarr.zip");
}

StoredLabels readOutlines(const std::filesystem::path& path, const Extent& extent, const std::string& image,
                          const JobControl& control) {
    return namingFile(path, [&] {
        try {
            const std::vector<StoredOutline> outlines = outlinesIn(path, extent, image);
            const bool areNumbered =
                std::ranges::all_of(outlines, [](const StoredOutline& each) { return each.number.has_value(); });
            OutlinePainter painter(extent);
            std::uint32_t next = 0;
            for (const StoredOutline& outline : outlines) {
                painter.paint(outline, areNumbered ? *outline.number : ++next, control);
            }
            return painter.take();
        } catch (const std::bad_alloc&) {
            throw Error(ErrorCode::outOfMemory, "not enough memory for its outlines");
        }
    });
}

std::string labelNameOf(const std::filesystem::path& file, const std::filesystem::path& image) {
    const std::filesystem::path relative = file.lexically_relative(image.parent_path());
    std::string name = (relative.empty() ? file : relative).generic_string();
    const std::string stem = labelFileOf("{stem}", image).filename().string();
    const std::size_t folder = name.rfind('/') + 1; // 0 without one
    if (const std::size_t at = name.rfind(stem); !stem.empty() && at != std::string::npos && at >= folder) {
        name.replace(at, stem.size(), "{stem}");
    }
    return name;
}

LabelSource labelsOfImage(const std::filesystem::path& image, const ReadOptions& part) {
    return [image, images = labelsBeside(image, part)](const std::string& name, const Extent& extent, bool isVolume,
                                                       const JobControl& control) {
        const std::filesystem::path path = labelFileOf(name, image);
        return namesOutlines(path) ? std::make_shared<const StoredLabels>(
                                         readOutlines(path, extent, image.filename().string(), control))
                                   : images(name, extent, isVolume, control);
    };
}

} // namespace pollard
