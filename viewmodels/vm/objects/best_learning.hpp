#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "components/best/best_components.hpp"

#include <QObject>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class ObjectsViewModel;
struct FoundObjects;
struct ObjectListing;

/// Questions about the best components of an image, and their weights: answers about the candidates of which the choice
/// is least sure become marks, and weights are learned from accepted objects.
class BestLearning : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t kMostUnsure = 20;

    /// @param objects must outlive this
    explicit BestLearning(ObjectsViewModel& objects);

    /// Whether the displayed objects are chosen from candidates, were not edited, and nothing is being computed.
    [[nodiscard]] bool canAsk() const;
    /// Whether the displayed objects, edited or not, were chosen from candidates, and nothing is being computed.
    [[nodiscard]] bool canLearn() const;
    [[nodiscard]] bool isBusy() const noexcept { return isBusy_; }
    /// The candidate in question; it is an object by the choice if the mark is.
    [[nodiscard]] const std::optional<BestMark>& question() const noexcept { return question_; }
    /// Whether the weights are learned ones.
    [[nodiscard]] bool hasWeights() const;
    /// Why nothing was asked or learned; empty if it was.
    [[nodiscard]] QString problem() const { return problem_; }

    /// Learns the weights from the listed objects, as if each object of the image were among them.
    /// @param listing with the displayed objects
    void learn(const std::shared_ptr<const ObjectListing>& listing);

public slots:
    /// Asks about the next one of the least sure candidates.
    void askNext();
    /// Marks the candidate in question, and asks about the next one once the objects follow.
    void answer(bool isObject);
    void useBuiltInWeights() { setWeights({}); }

signals:
    void changed(); ///< question(), problem() or what can be done
    void askedAbout(const pollard::BestMark& candidate);

private:
    void onObjects();
    /// Posts a job; @p take gets its result if the objects are the same then.
    template <class Work, class Take> void post(Work work, Take take);
    void ask();
    void setWeights(const BestWeights& weights);

    ObjectsViewModel& objects_;
    std::shared_ptr<const FoundObjects> of_; ///< of the candidates
    std::vector<BestMark> unsure_;           ///< candidates of the displayed objects
    std::size_t next_ = 0;                   ///< in unsure_
    std::optional<BestMark> question_;
    bool asksAgain_ = false; ///< once the objects are found
    bool isBusy_ = false;
    QString problem_;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
