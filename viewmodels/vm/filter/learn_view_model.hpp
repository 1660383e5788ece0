#pragma once

#include "vm/base/async_result.hpp"

#include "attributes/attribute.hpp"
#include "base/error.hpp"
#include "learn/criteria_learner.hpp"
#include "tree/component_tree.hpp"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// Criteria, and perhaps a forest, that follow from the components kept and removed by hand.
struct LearnProposal {
    LearnedCriteria learned;
    std::size_t examples = 0;
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const CriteriaLearner> taught;   ///< null with a forest
    std::shared_ptr<const CriteriaLearner> untaught; ///< for other picks of the same tree
};

/// Learns the simplest criteria, or a forest, from the picks of the filter, while active: again after each pick, on
/// another thread. Picks count in the order of their creation; one that agrees with the criteria changes nothing. The
/// components whose answer would tell most follow after the criteria.
class LearnViewModel : public Analysis {
    Q_OBJECT

public:
    static constexpr std::size_t kMostUnsure = 20;

    /// @param document,filter must outlive this
    LearnViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] bool isIdle() const override {
        return result_.state() != AsyncState::computing && unsure_.state() != AsyncState::computing;
    }
    /// Whether a forest is learned.
    [[nodiscard]] bool isForest() const noexcept { return isForest_; }
    /// Null without picks of both kinds, while not active, and until the first are learned.
    [[nodiscard]] std::shared_ptr<const LearnProposal> proposal() const noexcept { return result_.value(); }
    /// The criteria of the proposal, with lengths in the unit that the filter has for others.
    [[nodiscard]] std::vector<Criterion> criteria() const;
    /// The components of which the criteria are least sure, the nearest to a bound first; null until they are found.
    [[nodiscard]] std::shared_ptr<const std::vector<UnsureNode>> unsure() const noexcept { return unsure_.value(); }
    /// What the picks tell, or are missing, in some sentences, with the component in question; empty while not active.
    [[nodiscard]] QString text() const;
    /// Whether there are criteria to use.
    [[nodiscard]] bool canUse() const noexcept { return proposal() && !proposal()->learned.criteria.empty(); }
    [[nodiscard]] bool canAsk() const noexcept { return proposal() && unsure() && !unsure()->empty(); }
    /// The component of askNext() without an answer.
    [[nodiscard]] std::optional<std::uint32_t> asked() const;

public slots:
    void setForest(bool isForest);
    /// Puts the criteria and the forest into the filter in place of the present ones and of the components kept and
    /// removed by hand.
    void use();
    /// Asks about the next component of which the criteria are least sure.
    void askNext();
    /// Keeps or removes the component in question by hand, and asks about the next one once the criteria follow.
    void answer(bool keep);

signals:
    void askedAbout(std::uint32_t node);

private:
    void onActive() override { update(); }
    void update();
    void post();
    void onResult();
    void findUnsure();
    void onUnsure();
    [[nodiscard]] QString questionText() const;
    [[nodiscard]] std::vector<Example> examples() const;
    void compute(CriteriaLearner::Columns columns, std::shared_ptr<const AttributeColumn> area);

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    bool isForest_ = false;
    std::size_t next_ = 0;               ///< of unsure()
    std::optional<UnsureNode> question_; ///< of the tree of the proposal
    bool asksAgain_ = false;             ///< once unsure() is there
    AsyncResult<LearnProposal> result_{[this] { onResult(); }};
    AsyncResult<std::vector<UnsureNode>> unsure_{[this] { onUnsure(); }};
};

} // namespace pollard::vm
