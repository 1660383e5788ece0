#include "players/players.hpp"

#include "cuda/components/ha4/ha4_build.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"
#include "watched/kernel_machine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pollard::teach {
namespace {

constexpr std::array kHa4Lines{
    POLLARD_TEACH("every row becomes a word: bit x is set where pixel x is at least the threshold"),
    POLLARD_TEACH("strips of 4 rows, a block each, a warp a row, a thread a pixel:"),
    POLLARD_TEACH("    if a run starts at my pixel: its label is the pixel's number"),
    POLLARD_TEACH("    if my pixel and the one above are set, and one of their runs starts here:"),
    POLLARD_TEACH("        join(start of my run, start of the run above)"),
    POLLARD_TEACH("the same for the first row of each strip and the last one of the strip above"),
    POLLARD_TEACH("join(a, b): climb to the roots a and b; the larger one gets the label of the smaller"),
    POLLARD_TEACH("    if it is not a root any longer: continue with the label that it points to"),
    POLLARD_TEACH("count the roots of each row, and the roots of all rows before"),
    POLLARD_TEACH("every pixel: find the start of its run, and take the start's root as label"),
    POLLARD_TEACH("every root: its label is 1 + number of the roots before it; all its pixels take it"),
};

constexpr StepText kRow{POLLARD_TEACH("Row %1 becomes a word: %2."), 0};
constexpr StepText kHa4Start{
    POLLARD_TEACH("A run starts at %1: the bit before it is 0. Its label is the pixel's own number, %2."), 2};
constexpr StepText kTouch{
    POLLARD_TEACH("%1 and the pixel above are set; to the starts of their runs it is %2 and %3 pixels back."), 3};
constexpr StepText kTouchStrips{
    POLLARD_TEACH("%1 and the pixel above, of another strip, are set; their runs start %2 and %3 pixels back."), 5};
constexpr StepText kHa4Join{POLLARD_TEACH("The roots of both are %1 and %2: the larger one points to the smaller."), 6};
constexpr StepText kHa4Retry{
    POLLARD_TEACH("Another thread was faster: %1 pointed to %3 already. It points to %2, and %3 remains to be joined."),
    7};
constexpr StepText kHa4Same{POLLARD_TEACH("Both are in one tree already: nothing to do at %1."), 6};
constexpr StepText kRoots{POLLARD_TEACH("Roots in row %1, starts of runs that point to themselves: %2."), 8};
constexpr StepText kBefore{POLLARD_TEACH("The sums are the numbers of roots before each row. Of all rows: %1."), 8};
constexpr StepText kRelabel{
    POLLARD_TEACH("%1 counts the set bits before its own: the run starts %2 back, at %3. Its root is the label, %4."),
    9};
constexpr StepText kNumber{POLLARD_TEACH("Roots before %1: %2. Its object gets the label %3."), 10};
constexpr StepText kHa4End{POLLARD_TEACH("Every object has its number, in the order of the first pixels. Objects: %1."),
                           -1};

using Ha4Word = std::uint32_t;

/// Value of labels that are not yet written.
constexpr std::uint32_t kUnwritten = 0xffffffffU;

/// Machine for Ha4Build that records the changes of the label image.
class Ha4Recording : public KernelMachine {
public:
    Ha4Recording(const LabImage& image, const PlayerSpec& spec)
        : KernelMachine(spec), mask_(image, spec), trace_(image), seen_(image.pixelCount(), kUnwritten),
          isTouching_(image.pixelCount(), false), joined_(image.pixelCount(), false) {
        trace_.setUp(Layer::number, image.pixelCount());
        trace_.setUp(Layer::mark, image.pixelCount());
        std::vector<std::int64_t> strips(image.pixelCount());
        for (std::uint32_t p = 0; p < strips.size(); ++p) {
            strips[p] = p / width() / cuda::ha4::kRows;
        }
        trace_.setUp(Layer::tile, std::move(strips));
        trace_.setUp(Layer::word, height());
        trace_.setWordBits(width());
        std::vector<std::int64_t> table(kRootCells * height(), -1);
        for (std::uint32_t y = 0; y < height(); ++y) {
            table[y * kRootCells] = y;
        }
        trace_.setUp(Layer::table, std::move(table));
        trace_.setTableColumns({POLLARD_TEACH("Row"), POLLARD_TEACH("Roots"), POLLARD_TEACH("Roots before")});
    }

    Trace run() {
        for (std::uint32_t y = 0; y < height(); ++y) {
            trace_.step(kRow, {numberValue(y), {Value::Kind::bits, mask_.row(y)}});
            trace_.set(Layer::word, y, mask_.row(y));
        }
        cuda::Ha4Build<Ha4Recording, Ha4Word> build(*this, mask_.view());
        build.findRoots();
        build.relabel();
        build.number();
        trace_.step(kHa4End, {numberValue(build.count())});
        trace_.clearMarks();
        return trace_.take();
    }

    template <class Pass> void blocks(const Pass& pass, std::uint32_t count) {
        prepare(pass);
        KernelMachine::blocks(pass, count);
        watch(nullptr);
        finishPass(pass);
    }
    void exclusiveSum(std::uint32_t* data, std::size_t count) {
        KernelMachine::exclusiveSum(data, count);
        trace_.step(kBefore, {numberValue(data[count - 1])});
        trace_.clearMarks();
        for (std::uint32_t y = 0; y < height(); ++y) {
            showRow(y, RootCell::before, data[mask_.view().stride() * y]);
        }
    }

private:
    [[nodiscard]] std::uint32_t width() const noexcept { return mask_.view().width; }
    [[nodiscard]] std::uint32_t height() const noexcept { return mask_.view().height; }
    void showRow(std::uint32_t y, RootCell cell, std::int64_t value) {
        trace_.set(Layer::table, y * kRootCells + static_cast<std::size_t>(cell), value);
    }
    /// Number of consecutive set pixels just before this one, by the kernel's own function.
    [[nodiscard]] std::uint32_t distanceToStart(std::uint32_t pixel) const {
        return cuda::ha4::startDistance<Ha4Word>(mask_.row(pixel / width()), pixel % width());
    }

    void prepare(const cuda::ha4::StripPass<Ha4Word>& pass) {
        labels_ = pass.labels;
        std::fill_n(pass.labels, seen_.size(), kUnwritten); // new memory is undefined
        watchJoins(kTouch, [this] { return block() * cuda::ha4::kRows + thread() / cuda::ha4::kWarp; });
    }
    void prepare(const cuda::ha4::MergePass<Ha4Word>& pass) {
        labels_ = pass.labels;
        watchJoins(kTouchStrips, [this] {
            return (block() * cuda::ha4::kRows + thread() / cuda::ha4::kWarp + 1) * cuda::ha4::kRows;
        });
    }
    void prepare(const cuda::ha4::RelabelPass<Ha4Word>&) {
        watch([this](Moment moment) {
            if (moment == Moment::end) {
                showRelabelled();
            }
        });
    }
    template <class Pass> void prepare(const Pass&) {}

    template <class Pass> void finishPass(const Pass&) {}
    void finishPass(const cuda::ha4::MarkRootsPass<Ha4Word>& pass) { showRoots(pass.roots, pass.counts); }
    void finishPass(const cuda::ha4::NumberPass<Ha4Word>& pass) { showNumbers(pass.numbers); }

    /// @param row image row of the running thread
    template <class Row> void watchJoins(const StepText& touch, const Row& row) {
        isTouching_.assign(isTouching_.size(), false);
        joined_.assign(joined_.size(), false);
        watch([this, &touch, row](Moment moment) {
            const std::uint32_t x = thread() % cuda::ha4::kWarp;
            const std::uint32_t y = row();
            if (x < width() && y < height()) {
                lookAtJoin(moment, y * width() + x, touch);
            }
        });
    }

    /// Records the changes by the thread of a pixel since the last call.
    void lookAtJoin(Moment moment, std::uint32_t pixel, const StepText& touch) {
        for (std::uint32_t p = 0; p < seen_.size(); ++p) {
            if (labels_[p] != seen_[p]) {
                showChange(p, pixel);
            }
        }
        // A thread reads labels of other threads only to join.
        if (moment == Moment::access && !isTouching_[pixel]) {
            isTouching_[pixel] = true;
            const std::uint32_t above = pixel - width();
            trace_.step(touch,
                        {pixelValue(pixel), numberValue(distanceToStart(pixel)), numberValue(distanceToStart(above))});
            trace_.clearMarks();
            trace_.set(pixel, Mark::active);
            trace_.set(above, Mark::other);
        } else if (moment == Moment::end && isTouching_[pixel] && !joined_[pixel]) {
            trace_.step(kHa4Same, {pixelValue(pixel)});
        }
    }

    void showChange(std::uint32_t label, std::uint32_t byPixel) {
        const std::uint32_t before = std::exchange(seen_[label], labels_[label]);
        const std::uint32_t now = labels_[label];
        if (before == kUnwritten) {
            trace_.step(kHa4Start, {pixelValue(label), numberValue(now)});
        } else if (before == label) {
            trace_.step(kHa4Join, {pixelValue(label), pixelValue(now)});
        } else {
            trace_.step(kHa4Retry, {pixelValue(label), pixelValue(now), pixelValue(before)});
        }
        trace_.clearMarks();
        trace_.set(label, before == kUnwritten || before == label ? Mark::active : Mark::retried);
        if (before != kUnwritten) {
            joined_[byPixel] = true;
            trace_.set(now, Mark::other);
        }
        trace_.set(Layer::number, label, now);
        trace_.ask();
    }

    void showRoots(const std::uint32_t* roots, const std::uint32_t* counts) {
        for (std::uint32_t y = 0; y < height(); ++y) {
            const std::size_t word = mask_.view().stride() * y;
            trace_.step(kRoots, {numberValue(y), numberValue(counts[word])});
            trace_.clearMarks();
            for (std::uint32_t x = 0; x < width(); ++x) {
                if ((roots[word] >> x & 1U) != 0) {
                    trace_.set(y * width() + x, Mark::active);
                }
            }
            showRow(y, RootCell::roots, counts[word]);
        }
    }

    void showRelabelled() {
        for (std::uint32_t p = 0; p < seen_.size(); ++p) {
            if (labels_[p] == seen_[p]) {
                continue;
            }
            seen_[p] = labels_[p];
            const std::uint32_t distance = distanceToStart(p);
            trace_.step(kRelabel,
                        {pixelValue(p), numberValue(distance), pixelValue(p - distance), numberValue(labels_[p])});
            trace_.clearMarks();
            trace_.set(p - distance, Mark::other);
            trace_.set(p, Mark::active);
            trace_.set(Layer::number, p, labels_[p]);
        }
    }

    void showNumbers(const cuda::ha4::RootNumbers& numbers) {
        const std::vector<Ha4Word> rootOf = seen_;
        for (std::uint32_t root = 0; root < rootOf.size(); ++root) {
            if (!mask_.isSet(root) || rootOf[root] != root) {
                continue;
            }
            trace_.step(kNumber, {pixelValue(root), numberValue(numbers.of(root)), numberValue(labels_[root])});
            trace_.clearMarks();
            for (std::uint32_t p = root; p < rootOf.size(); ++p) {
                if (mask_.isSet(p) && rootOf[p] == root) {
                    trace_.set(p, Mark::active);
                    trace_.set(Layer::number, p, labels_[p]);
                }
            }
            trace_.ask();
        }
    }

    LabMask mask_;
    TraceRecorder trace_;
    const std::uint32_t* labels_ = nullptr; ///< of the passes
    std::vector<std::uint32_t> seen_;       ///< the labels at the last call
    std::vector<bool> isTouching_;          ///< per pixel: its thread joins in this pass
    std::vector<bool> joined_;
};

Trace recordHa4(const LabImage& image, const PlayerSpec& spec) { return Ha4Recording(image, spec).run(); }

constexpr PlayerInfo kHa4Info{
    .id = "ha4",
    .title = POLLARD_TEACH("Objects: HA4, bits and runs"),
    .summary = POLLARD_TEACH("How a GPU numbers objects: rows of pixels are words of bits, and runs of bits are joined "
                             "wherever they touch, all at the same time."),
    .lines = kHa4Lines,
    .asksTurns = true,
    .asksThreshold = true,
    .record = &recordHa4,
};

} // namespace

const PlayerInfo& ha4Player() { return kHa4Info; }

} // namespace pollard::teach
