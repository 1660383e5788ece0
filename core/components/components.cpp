#include "components/components.hpp"

#include "base/error.hpp"
#include "base/stage_timer.hpp"
#include "components/run_bands.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <new>
#include <unordered_map>

namespace pollard {

namespace {

constexpr const char* kAlgorithm = "runs";
constexpr std::uint32_t kRowsPerBand = 256;
constexpr std::uint32_t kRowsPerTask = 64;

/// Rows [first, last) that one task joins and measures.
struct Band {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t objects = 0; ///< number of objects whose first run is in the band
    std::uint32_t objectsBefore = 0;
    std::uint64_t foreground = 0; ///< px
    /// Parts, by label, of objects that start in earlier bands.
    std::unordered_map<std::uint32_t, ComponentRecord> parts;
    std::uint32_t lastLabel = 0; ///< label of the last lookup
    ComponentRecord* lastPart = nullptr;

    ComponentRecord& partOf(std::uint32_t label) {
        if (label != lastLabel) {
            lastLabel = label;
            lastPart = &parts[label];
        }
        return *lastPart;
    }
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
        if (spec_.features) {
            contacts_ = Buffer<RunContacts>(forest_.size());
        }
        forEachBand([&](const Band& band) {
            if (band.first == 0 && spec_.features) { // no row above
                std::fill_n(contacts_.data(), forest_.rowStart(1), RunContacts{0, 0});
            }
            for (std::uint32_t y = band.first + 1; y < band.last; ++y) {
                joinWithRowAbove(y);
            }
        });
        for (std::size_t b = 1; b < bands_.size(); ++b) {
            control_.throwIfStopped();
            joinWithRowAbove(bands_[b].first);
        }
        number(result);
        if (spec_.features) {
            result.objects.resize(result.count);
        }
        if (spec_.labels) {
            result.labels = Buffer<std::uint32_t>(std::size_t{result.width} * result.height);
        }
        forEachBand([&](Band& band) { finishBand(band, result); });
        addParts(result);
    }

private:
    void joinWithRowAbove(std::uint32_t y) { forest_.joinWithRowAbove(y, spec_.connectivity, contacts_.data()); }

    template <class Work> void forEachBand(const Work& work) {
        tbb::parallel_for(std::size_t{0}, bands_.size(), [&](std::size_t b) {
            control_.throwIfStopped();
            work(bands_[b]);
        });
    }

    /// The smallest run of a component is its first in raster order, so labels are the rank of these runs.
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
    }

    /// Labels, measures and paints the runs of a band, row by row. Only the band in which an object starts adds to its
    /// record; other bands keep partial records.
    void finishBand(Band& band, Components& result) {
        const std::size_t begin = forest_.rowStart(band.first);
        for (std::uint32_t y = band.first; y < band.last; ++y) {
            if ((y - band.first) % kRowsPerTask == 0) {
                control_.throwIfStopped();
            }
            for (std::size_t i = forest_.rowStart(y); i < forest_.rowStart(y + 1); ++i) {
                std::uint32_t run = forest_.parent(i);
                const bool isFirst = run == i;
                if (!isFirst) {
                    while (run < begin && forest_.parent(run) != run) { // another band may not be finished
                        run = forest_.parent(run);
                    }
                    labelOfRun_[i] = labelOfRun_[run];
                }
                if (spec_.features) {
                    measureRun(i, y, isFirst, band, result.objects);
                }
            }
            if (spec_.labels) {
                paintRow(y, result);
            }
        }
    }

    void measureRun(std::size_t i, std::uint32_t y, bool isFirst, Band& band, ComponentRecords& objects) const {
        const PixelRun& run = forest_.run(i);
        const std::uint32_t label = labelOfRun_[i];
        if (isFirst) {
            ComponentRecord& record = objects[label - 1];
            record = recordOf(run, y);
            if (grey_ != nullptr) {
                addGrey(record, true, run, y);
            }
            return;
        }
        ComponentRecord& record = label > band.objectsBefore ? objects[label - 1] : band.partOf(label);
        if (grey_ != nullptr) {
            addGrey(record, record.area == 0, run, y);
        }
        addRun(record, run, y, contacts_[i]);
    }

    void addGrey(ComponentRecord& record, bool isFirst, const PixelRun& run, std::uint32_t y) const {
        dispatch(grey_->type(), [&]<class Pixel>(Pixel) {
            const Pixel* row = grey_->pixels<Pixel>().data() + std::size_t{y} * grey_->width();
            std::uint64_t sum = 0;
            Pixel smallest = row[run.first];
            Pixel largest = row[run.first];
            for (std::uint32_t x = run.first; x < run.last; ++x) {
                sum += row[x];
                smallest = std::min(smallest, row[x]);
                largest = std::max(largest, row[x]);
            }
            record.greySum += sum;
            record.greyMin = isFirst ? smallest : std::min<std::uint16_t>(record.greyMin, smallest);
            record.greyMax = std::max<std::uint16_t>(record.greyMax, largest);
        });
    }

    void addParts(Components& result) const {
        for (const Band& band : bands_) {
            control_.throwIfStopped();
            for (const auto& [label, part] : band.parts) {
                addPart(result.objects[label - 1], part);
            }
        }
    }

    void paintRow(std::uint32_t y, Components& result) const {
        std::uint32_t* row = result.labels.data() + std::size_t{y} * result.width;
        std::uint32_t x = 0;
        for (std::size_t i = forest_.rowStart(y); i < forest_.rowStart(y + 1); ++i) {
            const PixelRun& run = forest_.run(i);
            fillFrom(row, x, run.first, result.width, 0);
            fillFrom(row, run.first, run.last, result.width, labelOfRun_[i]);
            x = run.last;
        }
        std::fill(row + x, row + result.width, 0U);
    }

    /// Fills [first, last) of a row that is filled from left to right. May write up to 3 values beyond @p last, which
    /// later calls overwrite: this saves branches for short runs.
    static void fillFrom(std::uint32_t* row, std::uint32_t first, std::uint32_t last, std::uint32_t width,
                         std::uint32_t value) noexcept {
        constexpr std::uint32_t kAtOnce = 4;
        if (width - last < kAtOnce) {
            std::fill(row + first, row + last, value);
            return;
        }
        do {
            std::fill_n(row + first, kAtOnce, value);
            first += kAtOnce;
        } while (first < last);
    }

    const Image* grey_;
    const ComponentsSpec& spec_;
    const JobControl& control_;
    RunForest forest_;
    std::vector<Band> bands_;
    Buffer<RunContacts> contacts_; ///< per run; empty without measurements
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
