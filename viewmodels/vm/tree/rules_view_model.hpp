#pragma once

#include "vm/base/analysis.hpp"
#include "vm/base/async_result.hpp"
#include "vm/tree/rule_results.hpp"

#include <QImage>
#include <QString>
#include <QTimer>

#include <memory>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// The results of all rules for the present criteria, with pictures of the part in the view. Selecting one makes its
/// rule that of the filter.
///
/// Computed only while setActive(), on threads of its own, some time after the last change of the filter so that a drag
/// of the slider has the processor. The results stay in memory while active: at most 10 bytes per node.
class RulesViewModel : public Analysis {
    Q_OBJECT

public:
    using State = AsyncState;

    static constexpr int kDelay = 150;    ///< ms without another change of the filter
    static constexpr int kMostSide = 512; ///< px, of a picture

    /// @param document,filter must outlive this
    RulesViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] State state() const;
    [[nodiscard]] bool rests() const override {
        return state() != State::computing && (!shown() || shown()->look == lookNumber_);
    }
    /// One line below the pictures: the reason of a failure, why all results are the same, or why a rule removes
    /// everything; else what the numbers are.
    [[nodiscard]] QString message() const;

    /// In the order of kAllRules; empty while there is nothing to display. During a computation those of the previous
    /// filter.
    [[nodiscard]] const std::vector<RuleResult>& results() const noexcept;
    [[nodiscard]] const QImage& picture(int number) const noexcept { return shown()->pictures[index(number)]; }
    [[nodiscard]] QString numbersOf(int number) const; ///< "Nodes: 1,204" or "Same as Direct", and "Pixels: 5,120"
    [[nodiscard]] QString detailsOf(int number) const; ///< the rule, its numbers and their totals
    /// Index of the filter's rule.
    [[nodiscard]] int current() const;

public slots:
    /// Sets what the pictures show; nothing is painted before the first call. A side of the box counts up to kMostSide.
    /// The colours are computed on another thread.
    void setLook(pollard::vm::PartLook look);
    /// Makes a rule that of the filter, unless the filter is off.
    void select(int number);

signals:
    void currentChanged(); ///< possibly

private:
    struct Made {
        RuleSource source;
        std::vector<RuleResult> results;
    };
    struct Painted {
        std::shared_ptr<const Made> made;
        std::vector<QImage> pictures;
        int look = 0; ///< lookNumber_ of the pictures
    };
    void onActive() override { update(); }
    void clear();
    void update();
    void post();
    void onResults();
    void paint();
    [[nodiscard]] const std::shared_ptr<const Painted>& shown() const noexcept { return pictures_.value(); }
    [[nodiscard]] static std::size_t index(int number) noexcept { return static_cast<std::size_t>(number); }

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    FilterSpec wanted_; ///< of the results, with any rule
    PartLook look_;
    int lookNumber_ = 0; ///< counts setLook()
    QTimer rest_;
    AsyncResult<Made> results_{[this] { onResults(); }};
    AsyncResult<Painted> pictures_{[this] { emit changed(); }};
};

} // namespace pollard::vm
