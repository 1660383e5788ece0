#include "components/components.hpp"

#include "analysis/ellipse.hpp"
#include "base/error.hpp"
#include "base/stage_timer.hpp"
#include "components/run_bands.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <new>

namespace pollard {

namespace {

constexpr const char* kAlgorithm = "runs";
constexpr std::uint32_t kRowsPerBand = 256;
constexpr std::uint32_t kRowsPerTask = 64;
constexpr std::size_t kStopEvery = std::size_t{1} << 16;

/// Rows [first, last) whose runs are joined by one task, and what it measured: one entry for each of the band's own
/// components, in the order of their first runs.
struct Band {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::vector<RecordSums> sums;
    std::vector<std::uint32_t> firstRuns;
};

class Labeller {
public:
    Labeller(const Mask& mask, const Image* grey, const ComponentsSpec& spec, const JobControl& control)
        : grey_(grey), spec_(spec), control_(control), forest_(mask, control) {
        for (std::uint32_t y = 0; y < mask.height(); y += kRowsPerBand) {
            bands_.push_back({y, std::min(mask.height(), y + kRowsPerBand), {}, {}});
        }
    }

    void run(Components& result) {
        tbb::parallel_for(std::size_t{0}, bands_.size(), [&](std::size_t i) {
            control_.throwIfStopped();
            joinBand(bands_[i]);
            if (spec_.features) {
                measureBand(bands_[i]);
            }
        });
        joinSeams();
        number(result);
        if (spec_.features) {
            collect(result);
        }
        if (spec_.labels) {
            paint(result);
        }
    }

private:
    void joinBand(const Band& band) {
        for (std::uint32_t y = band.first + 1; y < band.last; ++y) {
            forest_.forEachContact(y, spec_.connectivity, [&](std::size_t upper, std::size_t lower, std::uint32_t) {
                forest_.join(upper, lower);
            });
        }
    }

    /// Number of every run's component within the band: its place in Band::sums. Finds the first runs, too.
    [[nodiscard]] Buffer<std::uint32_t> placesIn(Band& band) {
        const std::size_t begin = forest_.rowStart(band.first);
        const std::size_t end = forest_.rowStart(band.last);
        Buffer<std::uint32_t> places(end - begin);
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t parent = forest_.parent(i);
            if (parent == i) {
                places[i - begin] = static_cast<std::uint32_t>(band.firstRuns.size());
                band.firstRuns.push_back(parent);
            } else {
                places[i - begin] = places[parent - begin];
            }
        }
        return places;
    }

    void measureBand(Band& band) {
        const std::size_t begin = forest_.rowStart(band.first);
        const Buffer<std::uint32_t> places = placesIn(band);
        band.sums.resize(band.firstRuns.size());
        for (std::uint32_t y = band.first; y < band.last; ++y) {
            for (std::size_t i = forest_.rowStart(y); i < forest_.rowStart(y + 1); ++i) {
                RecordSums& sums = band.sums[places[i - begin]];
                sums.add(forest_.run(i), y);
                if (grey_ != nullptr) {
                    addGrey(sums, forest_.run(i), y);
                }
            }
            if (y > band.first) {
                forest_.forEachContact(y, spec_.connectivity,
                                       [&](std::size_t, std::size_t lower, std::uint32_t columns) {
                                           RecordSums& sums = band.sums[places[lower - begin]];
                                           ++sums.contacts;
                                           sums.shared += columns;
                                       });
            }
        }
    }

    void addGrey(RecordSums& sums, const PixelRun& run, std::uint32_t y) const {
        dispatch(grey_->type(), [&]<class Pixel>(Pixel) {
            const Pixel* row = grey_->pixels<Pixel>().data() + std::size_t{y} * grey_->width();
            std::uint64_t sum = 0;
            Pixel smallest = row[run.first];
            Pixel largest = smallest;
            for (std::uint32_t x = run.first; x < run.last; ++x) {
                sum += row[x];
                smallest = std::min(smallest, row[x]);
                largest = std::max(largest, row[x]);
            }
            sums.addGrey(sum, smallest, largest);
        });
    }

    void joinSeams() {
        for (std::size_t b = 1; b < bands_.size(); ++b) {
            control_.throwIfStopped();
            forest_.forEachContact(
                bands_[b].first, spec_.connectivity,
                [&](std::size_t upper, std::size_t lower, std::uint32_t) { forest_.join(upper, lower); });
        }
    }

    /// A component's smallest run is its first in raster order, so counting these runs gives the labels.
    void number(Components& result) {
        labelOfRun_ = Buffer<std::uint32_t>(forest_.size());
        for (std::size_t i = 0; i < forest_.size(); ++i) {
            if (i % kStopEvery == 0) {
                control_.throwIfStopped();
            }
            const std::uint32_t parent = forest_.parent(i);
            labelOfRun_[i] = parent == i ? ++result.count : labelOfRun_[parent];
            result.foreground += forest_.run(i).last - forest_.run(i).first;
        }
    }

    /// Adds up what the bands measured.
    void collect(Components& result) {
        std::vector<RecordSums> all(result.count);
        for (const Band& band : bands_) {
            control_.throwIfStopped();
            for (std::size_t i = 0; i < band.sums.size(); ++i) {
                all[labelOfRun_[band.firstRuns[i]] - 1].add(band.sums[i]);
            }
        }
        for (std::size_t b = 1; b < bands_.size(); ++b) {
            forest_.forEachContact(bands_[b].first, spec_.connectivity,
                                   [&](std::size_t, std::size_t lower, std::uint32_t columns) {
                                       RecordSums& sums = all[labelOfRun_[lower] - 1];
                                       ++sums.contacts;
                                       sums.shared += columns;
                                   });
        }
        result.objects.resize(result.count);
        for (std::size_t i = 0; i < all.size(); ++i) {
            result.objects[i] = all[i].finished();
            if (grey_ == nullptr) {
                result.objects[i].greyMin = 0;
            }
        }
    }

    void paint(Components& result) {
        result.labels = Buffer<std::uint32_t>(std::size_t{result.width} * result.height);
        tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, result.height, kRowsPerTask), [&](const auto& rows) {
            control_.throwIfStopped();
            for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
                std::uint32_t* row = result.labels.data() + std::size_t{y} * result.width;
                std::uint32_t x = 0;
                for (std::size_t i = forest_.rowStart(y); i < forest_.rowStart(y + 1); ++i) {
                    std::fill(row + x, row + forest_.run(i).first, 0U);
                    std::fill(row + forest_.run(i).first, row + forest_.run(i).last, labelOfRun_[i]);
                    x = forest_.run(i).last;
                }
                std::fill(row + x, row + result.width, 0U);
            }
        });
    }

    const Image* grey_;
    const ComponentsSpec& spec_;
    const JobControl& control_;
    RunForest forest_;
    std::vector<Band> bands_;
    Buffer<std::uint32_t> labelOfRun_;
};

} // namespace

std::vector<std::string> labellingAlgorithms() { return {kAlgorithm}; }

Components labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec, const JobControl& control) {
    const std::string size = std::to_string(mask.width()) + " x " + std::to_string(mask.height()) + " px";
    if (!spec.algorithm.empty() && spec.algorithm != kAlgorithm) {
        throw Error(ErrorCode::invalidArgument,
                    "components: algorithm '" + spec.algorithm + "': unknown (there is '" + kAlgorithm + "')");
    }
    if (grey != nullptr && (grey->width() != mask.width() || grey->height() != mask.height())) {
        throw Error(ErrorCode::invalidArgument, "components: the grey image has another size than the mask of " + size);
    }
    if (spec.features && !pixelSumsFit(mask.width(), mask.height())) {
        throw Error(ErrorCode::limitExceeded,
                    "components: an image of " + size + " is too long for sums of squares in 64 bits");
    }
    StageTimer timer;
    Components result;
    result.connectivity = spec.connectivity;
    result.width = mask.width();
    result.height = mask.height();
    result.algorithm = kAlgorithm;
    try {
        Labeller(mask, grey, spec, control).run(result);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "components: no memory for an image of " + size);
    }
    timer.finish("all");
    result.milliseconds = timer.totalMilliseconds();
    return result;
}

} // namespace pollard
