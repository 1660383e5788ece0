#include "components/components.hpp"

#include "analysis/ellipse.hpp"
#include "base/error.hpp"
#include "base/stage_timer.hpp"
#include "components/run_bands.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <new>
#include <unordered_map>

namespace pollard {

namespace {

constexpr const char* kAlgorithm = "runs";
constexpr std::uint32_t kRowsPerBand = 256;
constexpr std::uint32_t kRowsPerTask = 64;

/// Rows [first, last) whose runs are joined, and measured, by one task.
struct Band {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t objects = 0; ///< whose first run lies here
    std::uint32_t objectsBefore = 0;
    std::uint64_t foreground = 0; ///< px
    /// Parts of objects that start in earlier bands, by their labels.
    std::unordered_map<std::uint32_t, ComponentRecord> parts;
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
        forEachBand([&](const Band& band) { joinBand(band); });
        joinSeams();
        number(result);
        if (spec_.features) {
            measure(result);
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

    /// Records are added to in place: an object's own band is the only one that does so, others keep their parts of it.
    void measure(Components& result) {
        result.objects.resize(result.count);
        forEachBand([&](Band& band) { measureBand(band, result.objects); });
        for (const Band& band : bands_) {
            control_.throwIfStopped();
            for (const auto& [label, part] : band.parts) {
                addPart(result.objects[label - 1], part);
            }
        }
        forEachBand([&](const Band& band) {
            for (std::uint32_t i = band.objectsBefore; i < band.objectsBefore + band.objects; ++i) {
                ++result.objects[i].holes;
            }
        });
    }

    void measureBand(Band& band, std::vector<ComponentRecord>& objects) {
        std::uint32_t known = 0; // the label of the part that was added to last
        ComponentRecord* part = nullptr;
        const auto recordOf = [&](std::size_t run) -> ComponentRecord& {
            const std::uint32_t label = labelOfRun_[run];
            if (label > band.objectsBefore) {
                return objects[label - 1];
            }
            if (label != known) {
                known = label;
                part = &band.parts[label];
            }
            return *part;
        };
        for (std::uint32_t y = band.first; y < band.last; ++y) {
            for (std::size_t i = forest_.rowStart(y); i < forest_.rowStart(y + 1); ++i) {
                ComponentRecord& record = recordOf(i);
                if (grey_ != nullptr) {
                    addGrey(record, forest_.run(i), y);
                }
                addRun(record, forest_.run(i), y);
            }
            if (y > 0) {
                forest_.forEachContact(y, spec_.connectivity,
                                       [&](std::size_t, std::size_t lower, std::uint32_t columns) {
                                           addContact(recordOf(lower), columns);
                                       });
            }
        }
    }

    /// Before the run itself is added.
    void addGrey(ComponentRecord& record, const PixelRun& run, std::uint32_t y) const {
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
            record.greySum += sum;
            record.greyMin = record.area == 0 ? smallest : std::min<std::uint16_t>(record.greyMin, smallest);
            record.greyMax = std::max<std::uint16_t>(record.greyMax, largest);
        });
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
