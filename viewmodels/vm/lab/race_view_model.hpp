#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "engine/engine.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// A race of all algorithms that build the tree of the present filter, on every engine that can be used, one after the
/// other on a thread of its own.
class RaceViewModel : public QObject {
    Q_OBJECT

public:
    static constexpr int kRounds = 3; ///< builds of each, of which the one in the middle counts

    struct Runner {
        QString name;   ///< "branches, 1 thread"
        QString engine; ///< "cpu: 8 threads"
        QString source; ///< paper or "Pollard"
        std::optional<double> milliseconds;
        QString problem; ///< why there is no time, for a person
    };

    /// @param engines of which some may be unusable; they and the document must outlive this
    RaceViewModel(const std::vector<Engine*>& engines, DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<Runner>& runners() const noexcept { return runners_; }
    [[nodiscard]] bool isRunning() const noexcept { return running_; }
    /// There is an image.
    [[nodiscard]] bool isAvailable() const;
    /// "1360 x 860 px, 8 bits, max-tree, 4 neighbours"; empty without an image.
    [[nodiscard]] QString subject() const;

public slots:
    /// With the picture that the filter at hand works on and its kind of tree; times of the last race are forgotten, as
    /// they are with another picture or kind of tree.
    void start();
    void cancel();

signals:
    void changed();

private:
    struct Entry {
        Engine* engine = nullptr;
        std::string algorithm;
        SessionOptions options;
    };
    void beginAnew();
    void forgetTimes();
    void onTime(int race, std::size_t runner, std::optional<double> milliseconds, const QString& problem);

    DocumentViewModel& document_;
    std::vector<Entry> entries_;
    std::vector<Runner> runners_;
    std::weak_ptr<const Image> raced_; ///< what the times are of
    int race_ = 0;                     ///< number of the one whose times count
    bool running_ = false;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
