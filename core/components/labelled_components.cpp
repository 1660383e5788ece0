#include "components/labelled_components.hpp"

#include "components/run_bands.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Maximal run of pixels with one label in a row.
struct LabelRun : PixelRun {
    std::uint32_t label = 0;
};

void findRuns(std::span<const std::uint32_t> row, std::vector<LabelRun>& runs) {
    runs.clear();
    for (std::uint32_t x = 0; x < row.size();) {
        const std::uint32_t first = x;
        while (x < row.size() && row[x] == row[first]) {
            ++x;
        }
        if (row[first] != 0) {
            runs.push_back({{first, x}, row[first]});
        }
    }
}

/// Contacts of a run with the runs of the row above that have its label.
/// @param from the first run above that a run from here on may touch; moved on
RunContacts contactsOf(const LabelRun& run, const std::vector<LabelRun>& above, std::size_t& from) {
    while (from < above.size() && above[from].last < run.first) {
        ++from;
    }
    RunContacts contacts{0, 0};
    for (std::size_t i = from; i < above.size() && above[i].first <= run.last; ++i) {
        if (above[i].label == run.label) {
            ++contacts.runs;
            const std::uint32_t first = std::max(above[i].first, run.first);
            const std::uint32_t last = std::min(above[i].last, run.last);
            contacts.columns += last > first ? last - first : 0;
        }
    }
    return contacts;
}

void addGrey(ComponentRecord& record, const Image& grey, const PixelRun& run, std::uint32_t y) {
    const std::size_t row = std::size_t{y} * grey.width();
    for (std::size_t x = run.first; x < run.last; ++x) {
        const std::uint16_t level = grey.level(row + x);
        record.greySum += level;
        record.greyMin = std::min(record.greyMin, level);
        record.greyMax = std::max(record.greyMax, level);
    }
}

} // namespace

Components measureLabels(LabelImage labels, const Image* grey, const JobControl& control) {
    Components found;
    found.connectivity = Connectivity::eight;
    requireMeasurable({labels.width, labels.height}, grey, {.connectivity = Connectivity::eight, .algorithm = {}});
    found.width = labels.width;
    found.height = labels.height;
    found.count = labels.count;
    found.objects.resize(labels.count);
    std::ranges::fill(found.objects, ComponentRecord{});
    std::vector<LabelRun> runs;
    std::vector<LabelRun> above;
    for (std::uint32_t y = 0; y < labels.height; ++y) {
        control.throwIfStopped();
        std::swap(runs, above);
        findRuns(labels.labels.span().subspan(std::size_t{y} * labels.width, labels.width), runs);
        std::size_t from = 0;
        for (const LabelRun& run : runs) {
            ComponentRecord& record = found.objects[run.label - 1];
            const RunContacts contacts = contactsOf(run, above, from);
            if (record.area == 0) {
                record = recordOf(run, y);
                record.greyMin = grey == nullptr ? 0 : std::numeric_limits<std::uint16_t>::max();
            } else {
                addRun(record, run, y, contacts);
            }
            if (grey != nullptr) {
                addGrey(record, *grey, run, y);
            }
            found.foreground += run.last - run.first;
        }
    }
    found.labels = std::move(labels.labels);
    return found;
}

} // namespace pollard
