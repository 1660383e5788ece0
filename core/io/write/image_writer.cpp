#include "io/write/image_writer.hpp"

#include "base/error.hpp"
#include "io/write/name_ending.hpp"
#include "io/write/pixel_rows.hpp"
#include "io/write/rgb_writer.hpp"
#include "io/write/sample_type.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20U;

[[noreturn]] void refuseImage(const std::filesystem::path& path, const std::string& why) {
    throw Error(ErrorCode::invalidArgument, "cannot write: " + path.string() + ": " + why);
}

std::string typeText(ValueType type) {
    const std::string kind = isFloat(type) ? "floating-point" : isSigned(type) ? "signed" : "unsigned";
    return kind + " values of " + std::to_string(bitsOf(type)) + " bits";
}

void requireHeld(const std::filesystem::path& path, const Plane& plane) {
    const PixelRows& rows = plane.rows;
    if (rows.extent.isVolume()) {
        refuseImage(path, "the file holds one slice; write .tif, .nii.gz or .nrrd");
    }
    const bool isUnsigned = !isFloat(rows.type) && !isSigned(rows.type);
    if (!isUnsigned || !holdsValues(path, bitsOf(rows.type), plane.facts.means)) {
        const bool isPng = knownEnding(path) == ".png";
        const std::string has = plane.facts.means ? typeText(rows.type) : "labels or a mask of " + typeText(rows.type);
        refuseImage(path, "the picture has " + has + ", but " +
                              (isPng ? "PNG holds unsigned values of 8 or 16 bits"
                                     : "JPEG holds pictures of 8 bits and changes their values") +
                              "; write .tif" + (isPng || !isUnsigned ? "" : " or .png"));
    }
}

} // namespace

std::vector<std::string_view> imageEndings() { return {".png", ".jpg", ".jpeg"}; }

bool isImageFile(const std::filesystem::path& path) {
    return std::ranges::count(imageEndings(), knownEnding(path)) > 0;
}

bool holdsValues(const std::filesystem::path& path, int bits, bool change) {
    return knownEnding(path) == ".png" ? bits <= 16 : change && bits <= 8;
}

void writeImage(const std::filesystem::path& path, const Planes& planes, const JobControl& control) {
    if (planes.count != 1) {
        refuseImage(path, std::to_string(planes.count) + " channels, but the file holds one; write .tif");
    }
    const Plane plane = inValues(planes.make(0, control));
    requireHeld(path, plane);
    const PixelRows& rows = plane.rows;
    const std::uint32_t width = rows.extent.width;
    const std::uint32_t height = rows.extent.height;
    const std::unique_ptr<RgbWriter> writer =
        knownEnding(path) == ".png"
            ? makePngRgbWriter(path, width, height, plane.facts.scene.pixelSize, 1, bitsOf(rows.type))
            : makeJpegRgbWriter(path, width, height, 1);
    const auto most = static_cast<std::uint32_t>(std::clamp<std::size_t>(kPieceBytes / rows.rowBytes(), 1, height));
    std::vector<std::byte> piece;
    for (std::uint32_t y = 0; y < height; y += most) {
        control.throwIfStopped();
        control.report(static_cast<double>(y) / height, "writing");
        const std::uint32_t count = std::min(most, height - y);
        piece.resize(count * rows.rowBytes());
        rows.read(y, count, piece.data());
        writer->write({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()});
    }
    writer->finish();
}

} // namespace pollard
