#include "components/components.hpp"

#include "analysis/ellipse.hpp"
#include "base/error.hpp"
#include "base/stage_timer.hpp"
#include "components/run_bands.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <new>

namespace pollard {

namespace {

constexpr const char* kAlgorithm = "runs";
constexpr std::uint32_t kRowsPerBand = 256;
constexpr std::uint32_t kRowsPerTask = 64;

/// A component of a band that is part of an object.
struct Part {
    std::uint32_t label; ///< of the object
    std::size_t index;   ///< in Band::sums
};

/// Rows [first, last) whose runs are joined by one task, and what it measured: one entry for each of the band's own
/// components, in the order of their first runs.
struct Band {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::vector<RecordSums> sums;
    std::vector<std::uint32_t> firstRuns;
    std::uint32_t objects = 0; ///< whose first run lies here
    std::uint32_t objectsBefore = 0;
    std::uint64_t foreground = 0; ///< px
    std::vector<Part> parts;      ///< of components that lie in other bands as well
};

class Labeller {
public:
    Labeller(const Mask& mask, const Image* grey, const ComponentsSpec& spec, const JobControl& control)
        : grey_(grey), spec_(spec), control_(control), forest_(mask, control) {
        for (std::uint32_t y = 0; y < mask.height(); y += kRowsPerBand) {
            Band& band = bands_.emplace_back();
            band.first = y;
            band.last = std::min(mask.height(), y + kRowsPerBand);
        }
    }

    void run(Components& result) {
        forEachBand([&](Band& band) {
            joinBand(band);
            if (spec_.features) {
                measureBand(band);
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

    template <class Work> void forEachBand(const Work& work) {
        tbb::parallel_for(std::size_t{0}, bands_.size(), [&](std::size_t b) {
            control_.throwIfStopped();
            work(bands_[b]);
        });
    }

    /// A component's smallest run is its first in raster order, so counting these runs gives the labels.
    void number(Components& result) {
        forEachBand([&](Band& band) {
            for (std::size_t i = forest_.rowStart(band.first); i < forest_.rowStart(band.last); ++i) {
                band.objects += forest_.parent(i) == i ? 1 : 0;
                band.foreground += forest_.run(i).last - forest_.run(i).first;
            }
        });
        for (Band& band : bands_) {
            band.objectsBefore = result.count;
            result.count += band.objects;
            result.foreground += band.foreground;
        }
        labelOfRun_ = Buffer<std::uint32_t>(forest_.size());
        forEachBand([&](const Band& band) {
            std::uint32_t label = band.objectsBefore;
            for (std::size_t i = forest_.rowStart(band.first); i < forest_.rowStart(band.last); ++i) {
                if (forest_.parent(i) == i) {
                    labelOfRun_[i] = ++label;
                }
            }
        });
        forEachBand([&](const Band& band) {
            const std::size_t begin = forest_.rowStart(band.first);
            for (std::size_t i = begin; i < forest_.rowStart(band.last); ++i) {
                std::uint32_t run = forest_.parent(i);
                if (run == i) {
                    continue;
                }
                while (run < begin && forest_.parent(run) != run) { // another band may not be through
                    run = forest_.parent(run);
                }
                labelOfRun_[i] = labelOfRun_[run];
            }
        });
    }

    /// Adds up what the bands measured. Nearly all components lie in one band, whose task finishes them.
    void collect(Components& result) {
        Buffer<std::uint8_t> inSeveral(result.count);
        std::fill(inSeveral.begin(), inSeveral.end(), std::uint8_t{0});
        forEachBand([&](const Band& band) {
            for (const std::uint32_t run : band.firstRuns) {
                if (forest_.parent(run) != run) {
                    std::atomic_ref(inSeveral[labelOfRun_[run] - 1]).store(1, std::memory_order_relaxed);
                }
            }
        });
        result.objects.resize(result.count);
        forEachBand([&](Band& band) {
            for (std::size_t i = 0; i < band.sums.size(); ++i) {
                const std::uint32_t label = labelOfRun_[band.firstRuns[i]];
                if (inSeveral[label - 1] == 0) {
                    result.objects[label - 1] = finished(band.sums[i]);
                } else {
                    band.parts.push_back({label, i});
                }
            }
        });
        collectParts(result);
    }

    /// The components that lie in several bands.
    void collectParts(Components& result) const {
        std::vector<std::uint32_t> labels;
        for (const Band& band : bands_) {
            for (const Part& part : band.parts) {
                labels.push_back(part.label);
            }
        }
        std::sort(labels.begin(), labels.end());
        labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
        std::vector<RecordSums> all(labels.size());
        const auto sumsOf = [&](std::uint32_t label) -> RecordSums& {
            return all[static_cast<std::size_t>(std::lower_bound(labels.begin(), labels.end(), label) -
                                                labels.begin())];
        };
        for (const Band& band : bands_) {
            control_.throwIfStopped();
            for (const Part& part : band.parts) {
                sumsOf(part.label).add(band.sums[part.index]);
            }
            if (band.first > 0) {
                forest_.forEachContact(band.first, spec_.connectivity,
                                       [&](std::size_t, std::size_t lower, std::uint32_t columns) {
                                           RecordSums& sums = sumsOf(labelOfRun_[lower]);
                                           ++sums.contacts;
                                           sums.shared += columns;
                                       });
            }
        }
        for (std::size_t i = 0; i < labels.size(); ++i) {
            result.objects[labels[i] - 1] = finished(all[i]);
        }
    }

    [[nodiscard]] ComponentRecord finished(const RecordSums& sums) const noexcept {
        ComponentRecord record = sums.finished();
        if (grey_ == nullptr) {
            record.greyMin = 0;
        }
        return record;
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
        Labeller(mask, grey, spec, control).run(result);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "components: no memory for an image of " + describe(mask.width(), mask.height()));
    }
    timer.finish("all");
    result.milliseconds = timer.totalMilliseconds();
    return result;
}

} // namespace pollard
