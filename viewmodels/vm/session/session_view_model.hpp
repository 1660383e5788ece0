#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/base/write_queue.hpp"
#include "vm/picture/open_request.hpp"
#include "vm/session/session_draft.hpp"

#include "session/session.hpp"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace pollard::vm {

class ContourViewModel;
class DisplayViewModel;
class DocumentViewModel;
class EditHistory;
class FilterViewModel;
class NodeSelection;
class ObjectTableModel;
class RegionViewModel;
class WorkBaseline;

/// The session of a window: all that a person does with a picture, as a file to go on with another day. Files are read
/// and written, and pictures looked for, on a thread of its own.
///
/// Opening is all or nothing: until the session was read and its picture is open, and for good if that fails,
/// everything stays as it is.
class SessionViewModel : public QObject {
    Q_OBJECT

public:
    /// All must outlive it and are made before it.
    struct Subjects {
        DocumentViewModel& document;
        DisplayViewModel& display;
        FilterViewModel& filter;
        NodeSelection& selection;
        RegionViewModel& region;
        ObjectTableModel& objectTable;
        ContourViewModel& contours;
        EditHistory& history;
    };
    explicit SessionViewModel(const Subjects& subjects, QObject* parent = nullptr);
    /// What was to be saved is written first.
    ~SessionViewModel() override;

    /// Of file names, without the dot.
    [[nodiscard]] static QString suffix() { return QStringLiteral("pollard"); }
    /// Whether a file is one by its name.
    [[nodiscard]] static bool isSession(const QString& path);

    /// The file of the session that is open; empty if it has none.
    [[nodiscard]] QString path() const { return path_; }
    [[nodiscard]] bool canSave() const; ///< a picture is open
    /// A session is on its way to the window.
    [[nodiscard]] bool isOpening() const noexcept { return opening_ != 0 || pending_.has_value(); }
    /// Whether a picture is open, and the work on it is another one than when the picture was opened, or its session
    /// opened or saved last: filters, picks, tree, regions, the way it is read, selections, objects, contours, and the
    /// look of the picture. The page, zoom, comparison and the state of a panel are no work, nor are
    /// automatic changes. A recovered session has no file of its own, so it is modified until it is saved.
    [[nodiscard]] bool isModified() const;
    [[nodiscard]] const WorkBaseline& baseline() const noexcept { return *baseline_; }
    /// Everything as it is now.
    [[nodiscard]] SessionDraft draft() const;
    [[nodiscard]] std::shared_ptr<KeptFingerprint> fingerprint() const { return fingerprint_; }

    /// Who knows where the panels are, as text; empty without.
    void setDocks(std::function<QString()> docks) { docks_ = std::move(docks); }

public slots:
    /// The picture of a session that is being opened will not come after all: somebody was asked and said no.
    void forgetPending();
    /// Writes the session; ends with saved() or failed(). @param path empty: path()
    void save(const QString& path = {});
    /// Opens a session and its picture; ends with opened(), pictureMissing() or failed(), or as
    /// DocumentViewModel::open() does if the picture cannot be opened.
    void open(const QString& path);
    /// The same for one that was kept for the case of a crash: the session has no file then.
    void recover(const QString& path);
    /// Answers pictureMissing(): where the picture is.
    void locate(const QString& picture);

signals:
    /// draft() may be another one.
    void changed();
    void modifiedChanged(); ///< some time after a change
    /// The work that was in the window is gone: another picture or session is there, or none.
    void workReplaced();
    void pathChanged();
    void canSaveChanged();
    void saved(const QString& path);
    void opened(const QString& path);
    /// The picture of a session could not be opened, or was not to be.
    void pictureRefused();
    /// Nothing was opened. Answer with locate(), or not at all.
    void pictureMissing(const QString& picture);
    /// What setDocks() gave when the session was saved.
    void docksFound(const QString& docks);
    void failed(const QString& title, const QString& text);
    /// Something a person should know, that is no failure.
    void noticeRaised(const QString& text);

private:
    /// A session on its way.
    struct Opened {
        SavedSession session;
        QString path;
        bool recovered = false;
        FoundPicture picture;
    };
    struct Pending {
        Opened opened;
        OpenRequest request;
    };
    void followSubjects();
    void tellModified();
    void read(const QString& path, bool recovered);
    void takeFound(Opened opened);
    void openPicture(Opened opened, const QString& picture);
    struct Written;
    void onSaved(const Written& written, const JobOutcome& outcome);
    void onDocument();
    void onState();
    void apply(Opened opened);
    void setPath(const QString& path);
    void endOf(const JobOutcome& outcome, const QString& title);

    Subjects subjects_;
    std::function<QString()> docks_;
    std::unique_ptr<WorkBaseline> baseline_;
    bool toldModified_ = false;
    QTimer modifiedSoon_; ///< a drag changes the work many times a second
    OpenRequest shown_;
    std::shared_ptr<KeptFingerprint> fingerprint_ = std::make_shared<KeptFingerprint>();
    QString path_;
    QString picture_;                          ///< that path_ belongs to
    LatestWinsWorker::Generation opening_ = 0; ///< of the job that reads or looks; 0: none
    std::optional<Opened> missing_;            ///< the picture of this one
    std::optional<Pending> pending_;           ///< whose picture is being opened
    bool asked_ = false;                       ///< a person decides about the memory for it
    std::unique_ptr<LatestWinsWorker> worker_ = std::make_unique<LatestWinsWorker>();
    WriteQueue writes_{*worker_};
};

} // namespace pollard::vm
