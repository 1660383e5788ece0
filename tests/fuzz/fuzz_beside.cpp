// Any bytes as a sidecar file of an image: an error in one line, or the image with its place and values. The last byte
// selects a world file, a file of GDAL, the coordinate system of a world file or a mask.
#include "memory_file.hpp"
#include "promise.hpp"

#include "base/error.hpp"
#include "io/image_file.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string_view>

namespace {

/// A file in a folder with an image and, unless the file is one, a world file.
class Beside {
public:
    explicit Beside(const char* name) : file_(name), image_(file_.path().parent_path() / "p.pgm") {
        std::ofstream(image_) << "P5\n4 3\n255\nabcdefghijkl";
        if (file_.path().extension() == ".prj") {
            std::ofstream(file_.path().parent_path() / "p.wld") << "10\n0\n0\n-10\n5\n6\n";
        }
    }
    const std::filesystem::path& with(const std::uint8_t* data, std::size_t size) {
        file_.assign(data, size);
        return image_;
    }

private:
    pollard::fuzz::FolderFile file_;
    std::filesystem::path image_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using pollard::fuzz::require;
    if (size == 0) {
        return 0;
    }
    static std::array<Beside, 4> files{Beside("p.wld"), Beside("p.pgm.aux.xml"), Beside("p.prj"), Beside("p.pgm.msk")};
    const std::filesystem::path& image = files.at(data[size - 1] & 3U).with(data, size - 1);
    try {
        const pollard::LoadedImage read = pollard::readImage(image);
        require(read.image->width() == 4 && read.image->height() == 3, "the size of the image");
        const std::uint64_t invalid = read.valid ? 12 - read.valid->count() : 0;
        require(read.info.invalidPixels == invalid, "the count of invalid pixels");
        if (const auto& side = read.info.pixelSize) {
            require(side->x > 0 && side->y > 0 && std::isfinite(side->x) && std::isfinite(side->y), "sides of pixels");
        }
        for (const std::string& note : read.info.notes) {
            require(!note.empty() && note.find('\n') == std::string::npos, "a note of one line");
        }
    } catch (const pollard::Error& error) {
        const std::string_view message = error.what();
        require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
    }
    return 0;
}
