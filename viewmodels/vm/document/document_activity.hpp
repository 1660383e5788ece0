#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include <QObject>
#include <QString>

namespace pollard::vm {

/// State, progress and errors of a document's jobs.
class DocumentActivity : public QObject {
    Q_OBJECT

public:
    enum class State {
        empty,    ///< no document is open
        loading,  ///< a file is being read (a previous document may still be displayed: hasImage())
        building, ///< a tree is being built
        ready,    ///< image, tree and filtered image are present
        failed,   ///< the last open failed without a previous document; see lastError()
    };

    using QObject::QObject;

    [[nodiscard]] State state() const noexcept { return state_; }
    /// A load, a build or a save waits or runs; DocumentViewModel::cancel() stops it.
    [[nodiscard]] bool isBusy() const noexcept { return busy_; }
    /// A filter job waits or runs.
    [[nodiscard]] bool isFiltering() const noexcept { return filtering_; }
    [[nodiscard]] double progress() const noexcept { return progress_; } ///< 0..1 of the running job
    [[nodiscard]] QString progressText() const { return progressText_; } ///< "Opening x.tif: merge"
    [[nodiscard]] QString lastError() const { return lastError_; }
    /// The file of the last errorOccurred() if no reader supports its format; else empty.
    [[nodiscard]] QString unknownFormatPath() const { return unknownFormatPath_; }

    void update(State state, bool busy, bool filtering);
    void setProgress(double fraction, const QString& text);
    /// Progress of a step of the job @p what; ignored unless isBusy().
    void setStep(double fraction, const QString& what, const QString& stage);
    /// Ends with errorOccurred() unless the job was cancelled.
    /// @param unknownFormatPath see unknownFormatPath()
    void fail(const QString& title, const JobOutcome& outcome, const QString& unknownFormatPath = {});
    void clearError() { lastError_.clear(); }

signals:
    void stateChanged();
    void busyChanged();
    void filteringChanged();
    void progressChanged();
    /// An operation failed without loss of data.
    void errorOccurred(const QString& title, const QString& text);

private:
    State state_ = State::empty;
    bool busy_ = false;
    bool filtering_ = false;
    double progress_ = 0;
    QString progressText_;
    QString lastError_;
    QString unknownFormatPath_;
};

} // namespace pollard::vm
