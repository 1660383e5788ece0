#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <openjpeg.h>

namespace pollard::test {

/// A JPEG 2000 file to write.
struct Jp2Variant {
    std::uint32_t width = 45;
    std::uint32_t height = 31;
    int bits = 8;
    bool isSigned = false;
    int components = 1;
    OPJ_COLOR_SPACE space = OPJ_CLRSPC_GRAY;
    bool codestream = false;
    std::uint32_t tile = 0;
    int alpha = -1;                ///< component of opacity
    std::uint32_t subsampling = 1; ///< of components 1 and 2
    std::uint32_t offset = 0;      ///< of the image on the reference grid
};

/// Sample of a component at (x, y), in its own samples.
using Jp2Sample = std::function<int(int component, std::uint32_t x, std::uint32_t y)>;

/// Writes all components losslessly; fails the test on an OpenJPEG error.
void writeJp2(const std::filesystem::path& path, const Jp2Variant& v, const Jp2Sample& value);

} // namespace pollard::test
