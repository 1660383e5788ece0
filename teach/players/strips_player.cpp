#include "players/players.hpp"

#include "cuda/components/strips/strip_build.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"
#include "watched/kernel_machine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace pollard::teach {
namespace {

constexpr std::uint32_t kStripsRows = 4; ///< per strip

constexpr std::array kStripsLines{
    POLLARD_TEACH("every row becomes words; strips of 4 rows, a block each:"),
    POLLARD_TEACH("    number the runs: count the starts of runs before each"),
    POLLARD_TEACH("    the first contact of a run with the row above: point to the run there, without an atomic"),
    POLLARD_TEACH("    other contacts: join(run, run above)"),
    POLLARD_TEACH("    join: climb on the later side, halving the way; the later root points to the earlier node"),
    POLLARD_TEACH("    number the components of the strip: its parts of objects"),
    POLLARD_TEACH("at every border between strips, all at the same time: join(part below, part above)"),
    POLLARD_TEACH("the first part of every object: label = 1 + number of objects before"),
    POLLARD_TEACH("other parts: the label of their first one"),
    POLLARD_TEACH("paint: run, part, label of every pixel"),
};

constexpr StepText kRun{POLLARD_TEACH("A run starts at %1: it is number %2 of its strip."), 1};
constexpr StepText kFirst{
    POLLARD_TEACH("The run at %1 touches that at %2: it is not joined to the row above yet, so it just points there."),
    2};
constexpr StepText kStripsJoin{POLLARD_TEACH("The run at %1 touches another tree: its root points to %2."), 3};
constexpr StepText kHalve{POLLARD_TEACH("On the way up %1 is made to skip its parent: it points to %2."), 4};
constexpr StepText kStripsRetry{
    POLLARD_TEACH("Another thread was faster: %1 pointed to %3 already. It points to %2, and %3 remains to be joined."),
    4};
constexpr StepText kPart{POLLARD_TEACH("The connected pixels of the strip that start at %1 are part %2."), 5};
constexpr StepText kBorder{POLLARD_TEACH("Across a border: part %1 points to part %2, so both are of one object."), 6};
constexpr StepText kBorderHalve{
    POLLARD_TEACH("On the way up part %1 is made to skip its parent: it points to part %2."), 6};
constexpr StepText kOtherHalve{
    POLLARD_TEACH("Part %1 looks for the first part of its object: on the way its parent becomes part %2."), 8};
constexpr StepText kBorderRetry{
    POLLARD_TEACH("Another thread was faster: part %1 pointed to %3. It points to %2, and %3 remains to be joined."),
    6};
constexpr StepText kLabel{POLLARD_TEACH("Part %1 is the first of its object, and gets the label %2."), 7};
constexpr StepText kOther{POLLARD_TEACH("Part %1 takes the label %2 of the first part of its object."), 8};
constexpr StepText kPaint{POLLARD_TEACH("A thread paints 4 by 4 pixels from %1 on."), 9};
constexpr StepText kStripsEnd{POLLARD_TEACH("Every pixel has its label. Objects: %1."), -1};

/// Consecutive pixels of one object in a row.
struct Run {
    std::uint32_t first; ///< pixel
    std::uint32_t length;
};

/// Machine for StripBuild that records its passes.
class StripsRecording : public KernelMachine {
public:
    StripsRecording(const LabImage& image, const PlayerSpec& spec)
        : KernelMachine(spec), mask_(image, spec, spec.kind), connectivity_(spec.connectivity), trace_(image) {
        trace_.setUp(Layer::number, image.pixelCount());
        trace_.setUp(Layer::mark, image.pixelCount());
        std::vector<std::int64_t> strips(image.pixelCount());
        std::vector<std::int64_t> words;
        std::size_t runs = 0;
        for (std::uint32_t y = 0; y < image.height; ++y) {
            std::fill_n(strips.begin() + y * image.width, image.width, y / kStripsRows);
            words.push_back(mask_.row(y));
            runs += cuda::countBits(cuda::startsOfRuns(mask_.row(y), 0));
        }
        trace_.setUp(Layer::tile, std::move(strips));
        trace_.setUp(Layer::word, std::move(words));
        trace_.setWordBits(image.width);
        trace_.setUp(Layer::table, kPartCells * runs);
        trace_.setTableColumns(
            {POLLARD_TEACH("Part"), POLLARD_TEACH("Strip"), POLLARD_TEACH("Parent"), POLLARD_TEACH("Label")});
    }

    Trace run() {
        cuda::StripInput input{};
        input.mask = mask_.view();
        input.connectivity = connectivity_;
        input.features = false;
        static_cast<void>(cuda::findByStrips(*this, input, tuning()));
        trace_.step(kStripsEnd, {numberValue(totals_.objects)});
        trace_.clearMarks();
        return trace_.take();
    }

    // Members required by StripBuild.

    [[nodiscard]] auto makeRecords(std::size_t count, const char* what) { return make<ComponentRecord>(count, what); }
    template <class Pass> void blocks(const Pass& pass, std::uint32_t count, std::size_t bytes) {
        prepare(pass, count);
        KernelMachine::blocks(pass, count, bytes);
        watch(nullptr);
        finishPass(pass);
    }
    template <class Step> void each(const Step& step, std::size_t count) {
        prepare(step, count);
        KernelMachine::each(step, count);
        watch(nullptr);
    }
    [[nodiscard]] cuda::StripTotals* totals() noexcept { return &totals_; }
    void markTotals() noexcept {}
    [[nodiscard]] cuda::StripTotals takeTotals() const noexcept { return totals_; }

private:
    using Moment = KernelMachine::Moment;

    /// Tuning for strips of kRows rows and few threads.
    [[nodiscard]] cuda::StripTuning tuning() const {
        const std::size_t runs = (width() / 2 + width() % 2) * kStripsRows;
        return {.sharedBytes = 4 * (2 * kStripsRows + runs + cuda::StripLayout::kScratchWords),
                .joinThreads = 16,
                .numberThreads = 8,
                .measureThreads = 8};
    }

    [[nodiscard]] std::uint32_t width() const noexcept { return mask_.view().width; }
    [[nodiscard]] std::uint32_t height() const noexcept { return mask_.view().height; }

    template <class Pass> void prepare(const Pass&, std::size_t) {}
    template <class Pass> void finishPass(const Pass&) {}

    // Within strips.

    template <bool kEight> void prepare(const cuda::JoinWithinStrips<kEight>& pass, std::size_t strips) {
        meetings_.assign(strips * pass.state.threads, 0);
        runs_.assign(strips, {});
        seen_.assign(strips, {});
        watch([this, rows = pass.state.rows(), words = pass.state.wordsOfRow,
               threads = pass.state.threads](Moment moment) {
            std::uint32_t& meetings = meetings_[block() * threads + thread()];
            if (meetings >= kRunsNumbered && meetings <= kJoining) {
                lookWithin(block(), static_cast<const std::uint32_t*>(sharedMemory()) + std::size_t{2} * rows * words,
                           meetings);
            }
            meetings += moment == Moment::meeting ? 1 : 0;
        });
    }

    /// Number of barriers that a thread has reached in JoinWithinStrips at the named point.
    static constexpr std::uint32_t kRunsNumbered = 5, kJoining = 6;

    void lookWithin(std::uint32_t strip, const std::uint32_t* parents, std::uint32_t meetings) {
        std::vector<std::uint32_t>& seen = seen_[strip];
        if (runs_[strip].empty()) {
            showRuns(strip);
        }
        for (std::uint32_t run = 0; run < seen.size(); ++run) {
            if (parents[run] == seen[run]) {
                continue;
            }
            const std::uint32_t before = std::exchange(seen[run], parents[run]);
            const std::uint32_t now = seen[run];
            const Value from = pixelValue(runs_[strip][run].first);
            const Value to = pixelValue(runs_[strip][now].first);
            if (meetings == kRunsNumbered) {
                trace_.step(kFirst, {from, to});
            } else if (before == run) {
                trace_.step(kStripsJoin, {from, to});
            } else if (seen[before] == now) {
                trace_.step(kHalve, {from, to});
            } else {
                trace_.step(kStripsRetry, {from, to, pixelValue(runs_[strip][before].first)});
            }
            trace_.clearMarks();
            markRun(runs_[strip][now], Mark::other);
            markRun(runs_[strip][run], Mark::active);
            show(runs_[strip][run], now);
            trace_.ask();
        }
    }
    void showRuns(std::uint32_t strip) {
        for (std::uint32_t y = strip * kStripsRows; y < std::min(height(), (strip + 1) * kStripsRows); ++y) {
            const std::uint32_t word = mask_.row(y);
            for (std::uint32_t starts = cuda::startsOfRuns(word, 0); starts != 0; starts &= starts - 1) {
                const auto x = static_cast<std::uint32_t>(cuda::lowestBit(starts));
                const auto length = static_cast<std::uint32_t>(cuda::lowestBit(~(word >> x)));
                const auto number = static_cast<std::uint32_t>(runs_[strip].size());
                runs_[strip].push_back({y * width() + x, length});
                seen_[strip].push_back(number);
                trace_.step(kRun, {pixelValue(y * width() + x), numberValue(number)});
                trace_.clearMarks();
                markRun(runs_[strip].back(), Mark::active);
                show(runs_[strip].back(), number);
            }
        }
    }

    template <bool kEight> void finishPass(const cuda::JoinWithinStrips<kEight>& pass) {
        std::size_t row = 0;
        for (std::uint32_t strip = 0; strip < runs_.size(); ++strip) {
            const std::uint32_t first = strip * pass.state.runsOfStrip;
            for (std::uint32_t run = 0; run < runs_[strip].size(); ++run) {
                const std::uint32_t part = first + pass.state.components[first + run];
                if (!rowOf_.contains(part)) {
                    rowOf_[part] = row++;
                    trace_.step(kPart, {pixelValue(runs_[strip][run].first), numberValue(part)});
                    trace_.clearMarks();
                    show(part, PartCell::part, part);
                    show(part, PartCell::strip, strip);
                    show(part, PartCell::parent, part);
                    parents_[part] = part;
                }
                markRun(runs_[strip][run], Mark::active);
                show(runs_[strip][run], part);
                partRuns_[part].push_back(runs_[strip][run]);
            }
        }
    }

    // Between strips.

    template <class Number, bool kEight> void prepare(const cuda::JoinStrips<Number, kEight>& step, std::size_t) {
        watchParents(step.state.parents, kBorderHalve);
    }
    template <class Number> void prepare(const cuda::LabelOtherParts<Number>& pass, std::size_t) {
        watchParents(pass.state.parents, kOtherHalve);
    }
    /// @param halve text for a shortened path
    void watchParents(const std::uint32_t* parents, const StepText& halve) {
        watch([this, parents, &halve](Moment) {
            for (auto& [part, seen] : parents_) {
                if (parents[part] != seen) {
                    showLink(part, std::exchange(seen, parents[part]), parents[part], halve);
                }
            }
        });
    }
    void showLink(std::uint32_t part, std::uint32_t before, std::uint32_t now, const StepText& halve) {
        const Value from = numberValue(part);
        const Value to = numberValue(now);
        if (before == part) {
            trace_.step(kBorder, {from, to});
        } else if (parents_[before] == now) {
            trace_.step(halve, {from, to});
        } else {
            trace_.step(kBorderRetry, {from, to, numberValue(before)});
        }
        trace_.clearMarks();
        markPart(now, Mark::other);
        markPart(part, Mark::active);
        show(part, PartCell::parent, now);
    }

    // Labels.

    template <class Number, bool kCounts> void finishPass(const cuda::LabelFirstParts<Number, kCounts>& pass) {
        for (const auto& [part, parent] : parents_) {
            if (parent == part) {
                showLabel(kLabel, part, pass.state.labels[part]);
            }
        }
    }
    template <class Number> void finishPass(const cuda::LabelOtherParts<Number>& pass) {
        for (const auto& [part, parent] : parents_) {
            if (parent != part) {
                showLabel(kOther, part, pass.state.labels[part]);
            }
        }
    }
    void showLabel(const StepText& text, std::uint32_t part, std::uint32_t label) {
        trace_.step(text, {numberValue(part), numberValue(label)});
        trace_.clearMarks();
        markPart(part, Mark::active);
        show(part, PartCell::label, label);
    }

    template <class Number> void prepare(const cuda::PaintLabels<Number>& step, std::size_t) {
        constexpr std::uint32_t kSide = cuda::PaintLabels<Number>::kColumns;
        static_assert(kSide == cuda::PaintLabels<Number>::kRows);
        const std::uint32_t columns = (width() - 1) / kSide + 1;
        const std::size_t steps = cuda::PaintLabels<Number>::steps(width(), height());
        watch([this, labels = step.labels, columns, steps](Moment moment) {
            const std::uint32_t place = block() * kStepThreads + thread();
            if (moment == Moment::end && place < steps) {
                paint(labels, place % columns * kSide, place / columns * kSide, kSide);
            }
        });
    }
    void paint(const std::uint32_t* labels, std::uint32_t left, std::uint32_t top, std::uint32_t side) {
        trace_.step(kPaint, {pixelValue(top * width() + left)});
        trace_.clearMarks();
        for (std::uint32_t y = top; y < std::min(top + side, height()); ++y) {
            for (std::uint32_t x = left; x < std::min(left + side, width()); ++x) {
                trace_.set(y * width() + x, Mark::active);
                trace_.set(Layer::number, y * width() + x, labels[y * width() + x]);
            }
        }
    }

    void show(const Run& run, std::uint32_t number) {
        for (std::uint32_t p = run.first; p < run.first + run.length; ++p) {
            trace_.set(Layer::number, p, number);
        }
    }
    void show(std::uint32_t part, PartCell cell, std::uint32_t value) {
        trace_.set(Layer::table, rowOf_[part] * kPartCells + static_cast<std::size_t>(cell), value);
    }
    void markRun(const Run& run, Mark kind) {
        for (std::uint32_t p = run.first; p < run.first + run.length; ++p) {
            trace_.set(p, kind);
        }
    }
    void markPart(std::uint32_t part, Mark kind) {
        for (const Run& run : partRuns_[part]) {
            markRun(run, kind);
        }
    }

    LabMask mask_;
    Connectivity connectivity_;
    TraceRecorder trace_;
    cuda::StripTotals totals_{};
    std::vector<std::uint32_t> meetings_;          ///< per thread of all blocks: number of barriers reached
    std::vector<std::vector<Run>> runs_;           ///< per strip
    std::vector<std::vector<std::uint32_t>> seen_; ///< per strip: parents of the runs at the last call
    std::map<std::uint32_t, std::size_t> rowOf_;   ///< row of the table, per part
    std::map<std::uint32_t, std::uint32_t> parents_;
    std::map<std::uint32_t, std::vector<Run>> partRuns_;
};

Trace recordStrips(const LabImage& image, const PlayerSpec& spec) { return StripsRecording(image, spec).run(); }

constexpr PlayerInfo kStripsInfo{
    .id = "strips",
    .title = POLLARD_TEACH("Objects: strips, Pollard's own algorithm"),
    .summary = POLLARD_TEACH("Runs of a few rows are joined in fast memory, mostly without atomics; then the parts of "
                             "objects across the borders of strips."),
    .lines = kStripsLines,
    .asksTree = true,
    .asksTurns = true,
    .asksThreshold = true,
    .record = &recordStrips,
};

} // namespace

const PlayerInfo& stripsPlayer() { return kStripsInfo; }

} // namespace pollard::teach
