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

/// A race of all algorithms for the tree of the present filter on all usable engines, one after another on a thread of
/// this object. Sequential algorithms of textbooks come first.
class RaceViewModel : public QObject {
    Q_OBJECT

public:
    static constexpr int kRounds = 3; ///< builds per algorithm; the median counts

    struct Runner {
        QString name;   ///< "branches, 1 thread", "branches, all threads", "union-find"
        QString engine; ///< "cpu: 8 threads"
        QString source; ///< paper or "Pollard"
        std::optional<double> milliseconds;
        QString problem; ///< why there is no time, for the user
    };

    /// @param engines some may be unusable; they and the document must outlive this
    RaceViewModel(const std::vector<Engine*>& engines, DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<Runner>& runners() const noexcept { return runners_; }
    [[nodiscard]] bool isRunning() const noexcept { return running_; }
    /// How many times faster a runner is than the first one with a time; empty without its time.
    [[nodiscard]] std::optional<double> speedUp(const Runner& runner) const;
    /// Why engines do not take part, a line each: "cuda: there is no NVIDIA driver"; empty if all do.
    [[nodiscard]] QString absent() const { return absent_; }
    /// An image is open.
    [[nodiscard]] bool isAvailable() const;
    /// "1360 x 860 px, 8 bits, max-tree, 4 neighbours"; empty without an image.
    [[nodiscard]] QString subject() const;

public slots:
    /// Starts with the input image of the current filter and its kind of tree. Times of the last race are dropped, as
    /// with another image or kind of tree.
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
    void onInputChanged();
    void forgetTimes();
    void onTime(int race, std::size_t runner, std::optional<double> milliseconds, const QString& problem);

    DocumentViewModel& document_;
    std::vector<Entry> entries_;
    std::vector<Runner> runners_;
    QString absent_;
    std::weak_ptr<const Image> raced_; ///< image of the times
    int race_ = 0;                     ///< number of the race whose times are accepted
    bool running_ = false;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
