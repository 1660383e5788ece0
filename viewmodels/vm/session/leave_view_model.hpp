#pragma once

#include "vm/picture/open_request.hpp"
#include "vm/session/work_baseline.hpp"

#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <optional>

namespace pollard::vm {

class DocumentViewModel;
class KeptWork;
class SessionViewModel;
class SettingsViewModel;

/// Sees to it that modified work is not lost when its picture is left, for another one or because the window closes:
/// it is kept, saved as a session, or discarded, and only when that is done the picture is left.
///
/// Work that changes while another picture is on its way, and work whose picture is left in any other way, is kept
/// without a question.
class LeaveViewModel : public QObject {
    Q_OBJECT

public:
    /// All must outlive it and be made before it.
    LeaveViewModel(DocumentViewModel& document, SessionViewModel& sessions, SettingsViewModel& settings,
                   QObject* parent = nullptr);

    /// Where work is kept, as long as that lives. Without it nothing is asked and nothing kept.
    void setKept(KeptWork* kept);
    [[nodiscard]] KeptWork* kept() const noexcept { return kept_; }

    /// Whether there is nothing that could be lost.
    [[nodiscard]] bool isFree() const;
    /// An answer() is awaited.
    [[nodiscard]] bool isAsking() const noexcept { return asking_; }
    /// "Keep the work on cells.tif?"
    [[nodiscard]] QString question() const;
    /// The work, and the kept work that it would replace: "3 contours, 2 regions".
    [[nodiscard]] QString details() const;

    using Then = std::function<void()>;
    /// Leaves the work in the window, at once if isFree(): asks first, or keeps the work if a person wants no question.
    /// Of several the last one counts.
    /// @param context nothing is done once this is gone
    /// @param then does it
    void leave(QObject* context, Then then);
    /// The same without a question: the work is kept.
    void leaveKept(QObject* context, Then then);

    enum class Answer { keep, save, discard, cancel };

public slots:
    /// @param path of the session, if it is to be saved
    void answer(pollard::vm::LeaveViewModel::Answer answer, const QString& path = {});
    /// The window is closed for good.
    void finish();

signals:
    void askingChanged();
    /// leave() has ended. @param gone then() was called
    void ended(bool gone);
    /// Nothing was left.
    void failed(const QString& title, const QString& text);

private:
    void keep();
    void save(const QString& path);
    void go();
    void end(bool gone);
    void setAsking(bool asking);
    void onAboutToChange(const OpenRequest& request);

    DocumentViewModel& document_;
    SessionViewModel& sessions_;
    SettingsViewModel& settings_;
    KeptWork* kept_ = nullptr;
    bool asking_ = false;
    QPointer<QObject> context_;
    Then then_;
    bool quiet_ = false;               ///< a question is out of place
    std::optional<WorkState> settled_; ///< the work that is kept, saved or discarded
    QString saving_;                   ///< a session that is being written
};

} // namespace pollard::vm
