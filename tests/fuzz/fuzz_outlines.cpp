// Any file as outlines of objects in an image and in a volume: an error in one line, or a label for each pixel.
#include "base/error.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "memory_file.hpp"
#include "promise.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace pollard;
using fuzz::require;

/// The file with the ending that its first bytes suggest.
const fuzz::FolderFile& written(const std::uint8_t* data, std::size_t size) {
    static fuzz::FolderFile json("a.json");
    static fuzz::FolderFile region("a.roi");
    static fuzz::FolderFile set("a.zip");
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    fuzz::FolderFile& file = text.starts_with("Iout") ? region : text.starts_with("PK") ? set : json;
    file.assign(data, size);
    return file;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::FolderFile& file = written(data, size);
    for (const Extent& extent : {Extent{31, 23}, Extent{9, 7, 5}}) {
        try {
            const StoredLabels labels = readOutlines(file.path(), extent, "a.png");
            require(labels.labels.size() == extent.pixelCount(), "a label for each pixel");
        } catch (const Error& error) {
            const std::string_view message = error.what();
            require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
        }
    }
    return 0;
}
