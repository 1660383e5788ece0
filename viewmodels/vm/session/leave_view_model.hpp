#pragma once

#include "vm/base/change.hpp"
#include "vm/image/open_request.hpp"
#include "vm/session/saved_work.hpp"

#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <optional>

namespace pollard::vm {

class DocumentViewModel;
class StoredSessions;
class SessionViewModel;
class SettingsViewModel;

/// Prevents the loss of modified work when its image is closed, for another one or with the window: the work is kept,
/// saved as a session, or discarded, and only then the image is closed.
///
/// Work that changes while another image is being loaded, and work whose image is closed in any other way, is kept
/// without a question.
class LeaveViewModel : public QObject {
    Q_OBJECT

public:
    /// All must be created before this object and outlive it.
    LeaveViewModel(DocumentViewModel& document, SessionViewModel& sessions, SettingsViewModel& settings,
                   QObject* parent = nullptr);

    /// Where work is kept, during the lifetime of @p kept. Without it there are no questions and nothing is kept.
    void setKept(StoredSessions* kept);
    [[nodiscard]] StoredSessions* kept() const noexcept { return kept_; }

    /// Whether no work could be lost.
    [[nodiscard]] bool isFree() const;
    /// A call of answer() is pending.
    [[nodiscard]] bool isAsking() const noexcept { return asking_; }
    /// "Keep the work on cells.tif?"
    [[nodiscard]] QString question() const;
    /// The work, and the kept work that it would replace: "The work consists of 3 contours, 2 regions."
    [[nodiscard]] QString details() const;

    using Then = std::function<void()>;
    /// Leaves the work in the window, at once if isFree(): asks first, or keeps the work if questions are switched off.
    /// The last of several calls counts.
    /// @param context @p then is not called after its destruction
    /// @param then called at the end
    void leave(QObject* context, Then then);
    /// The same without a question: keeps the work.
    void leaveKept(QObject* context, Then then);

    enum class Answer { keep, save, discard, cancel };

public slots:
    /// @param path file of the session, for saving
    void answer(pollard::vm::LeaveViewModel::Answer answer, const QString& path = {});
    /// The window is closed finally.
    void finish();

signals:
    void askingChanged();
    /// End of leave(). @param gone then() was called
    void ended(bool gone);
    /// The work was not left.
    void failed(const QString& title, const QString& text);

private:
    void keep();
    void save(const QString& path);
    void go();
    void end(bool gone);
    void setAsking(bool asking) { change(this, asking_, asking, &LeaveViewModel::askingChanged); }
    void onAboutToChange(const OpenRequest& request);

    DocumentViewModel& document_;
    SessionViewModel& sessions_;
    SettingsViewModel& settings_;
    StoredSessions* kept_ = nullptr;
    bool asking_ = false;
    QPointer<QObject> context_;
    Then then_;
    bool quiet_ = false;               ///< without a question
    std::optional<WorkState> settled_; ///< kept, saved or discarded
    QString saving_;                   ///< session being written
};

} // namespace pollard::vm
