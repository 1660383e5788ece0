#pragma once

#include "vm/base/async_result.hpp"

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <QImage>
#include <QRectF>
#include <QRgb>
#include <QSize>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// Input of a filter under all rules; constant.
struct RuleSource {
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const Image> image; ///< filtered
    std::shared_ptr<const Mask> valid;  ///< pixels with data; null for all
    std::shared_ptr<const Mask> domain; ///< analysed pixels; null for all
    FilterSpec filter;                  ///< bounds in pixels; its rule is ignored
    FilterColumns columns;              ///< of the filter
    std::shared_ptr<const AttributeColumn> area;
    std::size_t firstPixel = 0; ///< of the tree, for the first pixel of the image: of the seen slice of a volume
};

/// The result of a filter under one rule.
struct RuleResult {
    Rule rule = Rule::direct;
    std::uint64_t keptNodes = 0;
    std::uint64_t changedPixels = 0;
    bool rootCounts = false;                             ///< see NodeDecision
    std::optional<Rule> sameAs;                          ///< the first rule with the same image, if that is another one
    std::shared_ptr<const Buffer<std::uint16_t>> values; ///< outputValues(), one object for the same images
};

/// The results of all rules on the whole tree, in the order of kAllRules. The values take 2 bytes per node and
/// different image.
/// @throws Error(invalidArgument) if a column is not of the tree, Cancelled
[[nodiscard]] std::vector<RuleResult> filterByAllRules(const RuleSource& source, const JobControl& control);

/// The part of an image to paint, and its colours.
struct PartLook {
    QRectF part; ///< px of the image, within it
    QSize box;   ///< px, limit of the painted size
    std::function<QRgb(std::uint16_t level)> colour;
};

/// Paints a part of a result as large as fits the box. Every pixel is the pixel of the result at its middle, so that a
/// smaller image leaves pixels out and a larger one repeats them; pixels without data are transparent.
[[nodiscard]] QImage paintPart(const RuleSource& source, const RuleResult& result, const PartLook& look);

/// The results of all rules for the present criteria, with images of the part in the view. Selecting one sets the rule
/// of the filter.
///
/// Computed only while setActive(), on threads of its own, some time after the last change of the filter so that a drag
/// of the slider has the processor. The results stay in memory while active: at most 10 bytes per node.
class RulesViewModel : public Analysis {
    Q_OBJECT

public:
    using State = AsyncState;

    static constexpr int kDelay = 150;    ///< ms without another change of the filter
    static constexpr int kMostSide = 512; ///< px, of an image

    /// @param document,filter must outlive this
    RulesViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] State state() const;
    [[nodiscard]] bool isIdle() const override {
        return state() != State::computing && (!shown() || shown()->look == lookNumber_);
    }
    /// One line below the images: the reason of a failure, why all results are the same, or why a rule removes
    /// everything; else what the numbers are.
    [[nodiscard]] QString message() const;

    /// In the order of kAllRules; empty while there is nothing to display. During a computation the results of the
    /// previous filter.
    [[nodiscard]] const std::vector<RuleResult>& results() const noexcept;
    [[nodiscard]] const QImage& image(int number) const noexcept { return shown()->images[index(number)]; }
    [[nodiscard]] QString numbersOf(int number) const; ///< "Nodes: 1,204" or "Same as Direct", and "Pixels: 5,120"
    [[nodiscard]] QString detailsOf(int number) const; ///< the rule, its numbers and their totals
    /// Index of the filter's rule.
    [[nodiscard]] int current() const;

public slots:
    /// Sets what the images show; nothing is painted before the first call. A side of the box counts up to kMostSide.
    /// The colours are computed on another thread.
    void setLook(pollard::vm::PartLook look);
    /// Sets the rule of the filter, unless the filter is off.
    void select(int number);

signals:
    void currentChanged(); ///< possibly

private:
    struct Results {
        RuleSource source;
        std::vector<RuleResult> results;
    };
    struct Painted {
        std::shared_ptr<const Results> made;
        std::vector<QImage> images;
        int look = 0; ///< lookNumber_ of the images
    };
    void onActive() override { update(); }
    void clear();
    void update();
    void post();
    void onResults();
    void paint();
    [[nodiscard]] const std::shared_ptr<const Painted>& shown() const noexcept { return images_.value(); }
    [[nodiscard]] static std::size_t index(int number) noexcept { return static_cast<std::size_t>(number); }

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    FilterSpec wanted_; ///< of the results, with any rule
    PartLook look_;
    int lookNumber_ = 0; ///< counts setLook()
    QTimer rest_;
    AsyncResult<Results> results_{[this] { onResults(); }};
    AsyncResult<Painted> images_{[this] { emit changed(); }};
};

} // namespace pollard::vm
