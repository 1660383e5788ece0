#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/run_bands.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace pollard {

/// Rows [first, last) that one task joins and measures.
struct RowBand {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t objects = 0; ///< number of objects whose first run is in the band
    std::uint32_t objectsBefore = 0;
    std::uint64_t foreground = 0; ///< px
};

/// Labels and measures the objects of a run forest in parallel bands of rows. Space joins the runs:
/// - Record, a ComponentRecord or derived from it; a record with area 0 starts the part of an object whose first run is
///   in another band
/// - const RunForest& forest(); std::uint32_t rowsPerBand()
/// - joinWithin(band) and joinAcross(bands, control): join the runs of a band, and those of all bands
/// - Row rowAt(row), facts shared by the runs of a row
/// - recordOf(i, Row) of an object that starts with run i; addRun(record, i, Row); addPart(record, part)
template <class Space> class RunLabeller {
public:
    using Record = typename Space::Record;
    using Row = typename Space::Row;

    /// @param grey image to measure, of the mask's size; null: none
    RunLabeller(const Mask& mask, Space& space, const Image* grey, const ComponentsSpec& spec,
                const JobControl& control)
        : width_(mask.width()), space_(space), forest_(space.forest()), grey_(grey), spec_(spec), control_(control) {
        for (std::uint64_t row = 0; row < mask.height(); row += space.rowsPerBand()) {
            RowBand& band = bands_.emplace_back();
            band.first = static_cast<std::uint32_t>(row);
            band.last = static_cast<std::uint32_t>(std::min<std::uint64_t>(mask.height(), row + space.rowsPerBand()));
        }
        parts_.resize(bands_.size());
    }

    /// Writes count, foreground, labels and objects of a result.
    /// @throws std::bad_alloc; Cancelled
    template <class Result> void run(Result& result) {
        forEachBand([&](std::size_t b) { space_.joinWithin(bands_[b]); });
        space_.joinAcross(bands_, control_);
        number(result);
        if (spec_.features) {
            result.objects.resize(result.count);
        }
        if (spec_.labels) {
            result.labels = Buffer<std::uint32_t>(std::size_t{width_} * bands_.back().last);
        }
        forEachBand([&](std::size_t b) { finishBand(bands_[b], parts_[b], result); });
        for (const Parts& parts : parts_) {
            control_.throwIfStopped();
            for (const auto& [label, part] : parts.records) {
                Space::addPart(result.objects[label - 1], part);
            }
        }
    }

private:
    /// Parts, by label, of objects that start in earlier bands.
    struct Parts {
        std::unordered_map<std::uint32_t, Record> records;
        std::uint32_t lastLabel = 0; ///< label of the last lookup
        Record* lastRecord = nullptr;

        Record& of(std::uint32_t label) {
            if (label != lastLabel) {
                lastLabel = label;
                lastRecord = &records[label];
            }
            return *lastRecord;
        }
    };

    static constexpr std::uint32_t kRowsPerStop = 64;

    template <class Work> void forEachBand(const Work& work) {
        tbb::parallel_for(std::size_t{0}, bands_.size(), [&](std::size_t b) {
            control_.throwIfStopped();
            work(b);
        });
    }

    /// The smallest run of a component is its first in raster order, so labels are the rank of these runs.
    template <class Result> void number(Result& result) {
        forEachBand([&](std::size_t b) {
            RowBand& band = bands_[b];
            for (std::size_t i = forest_.rowStart(band.first); i < forest_.rowStart(band.last); ++i) {
                band.objects += forest_.parent(i) == i ? 1 : 0;
                band.foreground += forest_.run(i).last - forest_.run(i).first;
            }
        });
        for (RowBand& band : bands_) {
            band.objectsBefore = result.count;
            result.count += band.objects;
            result.foreground += band.foreground;
        }
        labelOfRun_ = Buffer<std::uint32_t>(forest_.size());
        forEachBand([&](std::size_t b) {
            const RowBand& band = bands_[b];
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
    template <class Result> void finishBand(const RowBand& band, Parts& parts, Result& result) {
        const std::size_t begin = forest_.rowStart(band.first);
        for (std::uint32_t row = band.first; row < band.last; ++row) {
            if ((row - band.first) % kRowsPerStop == 0) {
                control_.throwIfStopped();
            }
            const Row measured = space_.rowAt(row);
            for (std::size_t i = forest_.rowStart(row); i < forest_.rowStart(row + 1); ++i) {
                std::uint32_t run = forest_.parent(i);
                const bool isFirst = run == i;
                if (!isFirst) {
                    while (run < begin && forest_.parent(run) != run) { // another band may not be finished
                        run = forest_.parent(run);
                    }
                    labelOfRun_[i] = labelOfRun_[run];
                }
                if (spec_.features) {
                    measureRun(i, row, measured, isFirst, band, parts, result);
                }
            }
            if (spec_.labels) {
                paintRow(row, result.labels.data() + std::size_t{row} * width_);
            }
        }
    }

    template <class Result> void measureRun(std::size_t i, std::uint32_t row, const Row& measured, bool isFirst,
                                            const RowBand& band, Parts& parts, Result& result) const {
        const std::uint32_t label = labelOfRun_[i];
        if (isFirst) {
            Record& record = result.objects[label - 1];
            record = space_.recordOf(i, measured);
            if (grey_ != nullptr) {
                addGrey(record, true, forest_.run(i), row);
            }
            return;
        }
        Record& record = label > band.objectsBefore ? result.objects[label - 1] : parts.of(label);
        if (grey_ != nullptr) {
            addGrey(record, record.area == 0, forest_.run(i), row);
        }
        space_.addRun(record, i, measured);
    }

    void addGrey(ComponentRecord& record, bool isFirst, const PixelRun& run, std::uint32_t row) const {
        dispatch(grey_->type(), [&]<class Pixel>(Pixel) {
            const Pixel* pixels = grey_->pixels<Pixel>().data() + std::size_t{row} * width_;
            std::uint64_t sum = 0;
            Pixel smallest = pixels[run.first];
            Pixel largest = pixels[run.first];
            for (std::uint32_t x = run.first; x < run.last; ++x) {
                sum += pixels[x];
                smallest = std::min(smallest, pixels[x]);
                largest = std::max(largest, pixels[x]);
            }
            record.greySum += sum;
            record.greyMin = isFirst ? smallest : std::min<std::uint16_t>(record.greyMin, smallest);
            record.greyMax = std::max<std::uint16_t>(record.greyMax, largest);
        });
    }

    void paintRow(std::uint32_t row, std::uint32_t* labels) const {
        std::uint32_t x = 0;
        for (std::size_t i = forest_.rowStart(row); i < forest_.rowStart(row + 1); ++i) {
            const PixelRun& run = forest_.run(i);
            fillFrom(labels, x, run.first, 0);
            fillFrom(labels, run.first, run.last, labelOfRun_[i]);
            x = run.last;
        }
        std::fill(labels + x, labels + width_, 0U);
    }

    /// Fills [first, last) of a row that is filled from left to right. May write up to 3 values beyond @p last, which
    /// later calls overwrite: this saves branches for short runs.
    void fillFrom(std::uint32_t* row, std::uint32_t first, std::uint32_t last, std::uint32_t value) const noexcept {
        constexpr std::uint32_t kAtOnce = 4;
        if (width_ - last < kAtOnce) {
            std::fill(row + first, row + last, value);
            return;
        }
        do {
            std::fill_n(row + first, kAtOnce, value);
            first += kAtOnce;
        } while (first < last);
    }

    std::uint32_t width_;
    Space& space_;
    const RunForest& forest_;
    const Image* grey_;
    const ComponentsSpec& spec_;
    const JobControl& control_;
    std::vector<RowBand> bands_;
    std::vector<Parts> parts_; ///< per band
    Buffer<std::uint32_t> labelOfRun_;
};

} // namespace pollard
