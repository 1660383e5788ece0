// Any text as contours of a GeoJSON file: an error in one line, or contours; and each of these as the start of a snake:
// refused, or never self-intersecting.
#include "base/error.hpp"
#include "promise.hpp"
#include "snake/contour/contour_files.hpp"
#include "snake/snake_run.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>

namespace {

using namespace pollard;
using fuzz::require;

constexpr std::uint32_t kWidth = 64;
constexpr std::uint32_t kHeight = 48;

void requireOneLine(const Error& error) {
    const std::string_view message = error.what();
    require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
}

std::shared_ptr<const RowSums> makeSums() {
    auto image = std::make_shared<Image>(PixelType::u8, kWidth, kHeight);
    for (std::uint32_t i = 0; i < kWidth * kHeight; ++i) {
        const bool in = i % kWidth > 20 && i % kWidth < 45 && i / kWidth > 10 && i / kWidth < 35;
        image->pixels<std::uint8_t>()[i] = static_cast<std::uint8_t>((in ? 150 : 90) + (i * 2654435761U >> 27U));
    }
    return std::make_shared<const RowSums>(image);
}

void evolve(const Contour& start) {
    static const auto sums = makeSums();
    SnakeSpec spec;
    spec.minLength = 4;
    spec.maxNodes = 64;
    spec.maxRounds = 20;
    try {
        SnakeRun run(sums, start, spec);
        do {
            require(isSimple(run.state().nodes), "a contour never touches itself");
            require(run.state().inside == sums->inside(run.state().nodes), "the sums are those of the contour");
        } while (run.advance());
    } catch (const Error& error) {
        requireOneLine(error);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const std::vector<Contour> contours = contoursIn({reinterpret_cast<const char*>(data), size});
        require(!contours.empty(), "one contour at least");
        constexpr std::size_t kMostRuns = 4;
        for (std::size_t i = 0; i < std::min(contours.size(), kMostRuns); ++i) {
            evolve(contours[i]);
        }
    } catch (const Error& error) {
        requireOneLine(error);
    }
    return 0;
}
