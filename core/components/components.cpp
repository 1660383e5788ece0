#include "components/components.hpp"

#include "base/error.hpp"
#include "base/stage_timer.hpp"
#include "components/run_bands.hpp"
#include "components/run_labeller.hpp"

#include <algorithm>
#include <new>
#include <span>

namespace pollard {

namespace {

constexpr const char* kAlgorithm = "runs";

/// Joins the runs of a picture with those of the row above.
class PictureRuns {
public:
    using Record = ComponentRecord;
    using Row = std::uint32_t;

    PictureRuns(const Mask& mask, const ComponentsSpec& spec, const JobControl& control)
        : connectivity_(spec.connectivity), forest_(mask, control),
          contacts_(spec.features ? Buffer<RunContacts>(forest_.size()) : Buffer<RunContacts>()) {}

    [[nodiscard]] const RunForest& forest() const noexcept { return forest_; }
    [[nodiscard]] static std::uint32_t rowsPerBand() noexcept { return 256; }

    void joinWithin(const RowBand& band) noexcept {
        if (band.first == 0 && contacts_.size() > 0) { // no row above
            std::fill_n(contacts_.data(), forest_.rowStart(1), RunContacts{0, 0});
        }
        for (std::uint32_t y = band.first + 1; y < band.last; ++y) {
            joinWithRowAbove(y);
        }
    }
    void joinAcross(std::span<const RowBand> bands, const JobControl& control) {
        for (const RowBand& band : bands.subspan(1)) {
            control.throwIfStopped();
            joinWithRowAbove(band.first);
        }
    }

    [[nodiscard]] static Row rowAt(std::uint32_t y) noexcept { return y; }
    [[nodiscard]] Record recordOf(std::size_t i, Row y) const noexcept { return pollard::recordOf(forest_.run(i), y); }
    void addRun(Record& record, std::size_t i, Row y) const noexcept {
        pollard::addRun(record, forest_.run(i), y, contacts_[i]);
    }
    static void addPart(Record& record, const Record& part) noexcept { pollard::addPart(record, part); }

private:
    void joinWithRowAbove(std::uint32_t y) noexcept { forest_.joinWithRowAbove(y, connectivity_, contacts_.data()); }

    Connectivity connectivity_;
    RunForest forest_;
    Buffer<RunContacts> contacts_; ///< per run; empty without measurements
};

std::string describe(std::uint32_t width, std::uint32_t height) {
    return std::to_string(width) + " x " + std::to_string(height) + " px";
}

} // namespace

std::vector<std::string> labellingAlgorithms() { return {kAlgorithm}; }

void requireMeasurable(std::uint32_t width, std::uint32_t height, const Image* grey, const ComponentsSpec& spec) {
    if (grey != nullptr && (grey->width() != width || grey->height() != height)) {
        throw Error(ErrorCode::invalidArgument,
                    "components: the grey image has another size than the mask of " + describe(width, height));
    }
    if (spec.features && !pixelSumsFit(width, height)) {
        throw Error(ErrorCode::limitExceeded, "components: an image of " + describe(width, height) +
                                                  " is too long for sums of squares in 64 bits");
    }
}

Components labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec, const JobControl& control) {
    if (!spec.algorithm.empty() && spec.algorithm != kAlgorithm) {
        throw Error(ErrorCode::invalidArgument,
                    "components: algorithm '" + spec.algorithm + "': unknown (there is '" + kAlgorithm + "')");
    }
    requireMeasurable(mask.width(), mask.height(), grey, spec);
    StageTimer timer;
    Components result;
    result.connectivity = spec.connectivity;
    result.width = mask.width();
    result.height = mask.height();
    result.algorithm = kAlgorithm;
    try {
        PictureRuns runs(mask, spec, control);
        RunLabeller(mask, runs, grey, spec, control).run(result);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "components: no memory for an image of " + describe(mask.width(), mask.height()));
    }
    timer.finish("all");
    result.milliseconds = timer.totalMilliseconds();
    return result;
}

} // namespace pollard
