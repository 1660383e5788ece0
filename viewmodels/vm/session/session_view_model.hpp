#pragma once

#include "vm/base/change.hpp"
#include "vm/base/file_export.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/image/open_request.hpp"
#include "vm/session/session_draft.hpp"

#include "session/session.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace pollard::vm {

class ContourViewModel;
class DisplayViewModel;
class DocumentViewModel;
class EditHistory;
class FilterViewModel;
class LabelEditViewModel;
class LabelWork;
class NodeSelection;
class ObjectTableModel;
class ObjectsViewModel;
class OrthogonalViewModel;
class RegionViewModel;
class RenderingViewModel;
class SavedWork;
class ScoreViewModel;

/// A state of a file.
struct FileStamp {
    std::filesystem::path file;
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type changed;

    bool operator==(const FileStamp&) const = default;
};

/// The session of a window: the user's work on an image, as a file to continue later. Reading, writing and the search
/// for images run on another thread.
///
/// Opening is all or nothing: until the session is read and its image is open, and after a failure, nothing changes.
class SessionViewModel : public QObject {
    Q_OBJECT

public:
    /// All must be created before this object and outlive it.
    struct Subjects {
        DocumentViewModel& document;
        DisplayViewModel& display;
        FilterViewModel& filter;
        NodeSelection& selection;
        RegionViewModel& region;
        ObjectsViewModel& objects;
        ObjectTableModel& objectTable;
        ContourViewModel& contours;
        EditHistory& history;
        OrthogonalViewModel* orthogonal = nullptr; ///< null: sessions do not state how a volume is seen
        RenderingViewModel* rendering = nullptr;   ///< null if orthogonal is
        LabelEditViewModel* labels = nullptr;      ///< null: sessions do not have edits of objects
        ScoreViewModel* score = nullptr;           ///< null: sessions do not have the truth of objects
    };
    explicit SessionViewModel(const Subjects& subjects, QObject* parent = nullptr);
    /// Pending files are written first.
    ~SessionViewModel() override;

    /// Ending of file names, without the dot.
    [[nodiscard]] static QString suffix() { return QStringLiteral("pollard"); }
    /// Whether a file is a session, by its name.
    [[nodiscard]] static bool isSession(const QString& path);

    /// The file of the open session; empty if there is none.
    [[nodiscard]] QString path() const { return path_; }
    [[nodiscard]] bool canSave() const;                                       ///< an image is open
    [[nodiscard]] bool isSaving() const noexcept { return writes_.isBusy(); } ///< a file is being written
    /// A session is being opened.
    [[nodiscard]] bool isOpening() const { return worker_->isBusy(Lane::load) || pending_.has_value(); }
    /// Whether an image is open and the work on it has changed since the image was opened, or its session was opened
    /// or saved: filters, picks, tree, regions, reading, selections, objects, contours, and the display of the image.
    /// Page, zoom, comparison and the state of panels do not count, nor do automatic changes. A recovered session has
    /// no file of its own, so it is modified until it is saved.
    [[nodiscard]] bool isModified() const;
    [[nodiscard]] const SavedWork& baseline() const noexcept { return *baseline_; }
    /// The present session.
    [[nodiscard]] SessionDraft draft() const;
    [[nodiscard]] std::shared_ptr<CachedFingerprint> fingerprint() const { return fingerprint_; }

    /// Sets the source of the dock layout, as text; may be empty.
    void setDocks(std::function<QString()> docks) { docks_ = std::move(docks); }

public slots:
    /// Drops the session being opened, after the user declined to open its image.
    void forgetPending();
    /// Writes the session; ends with saved(), failed() or, if another program has changed path() since it was opened or
    /// saved here, with changedOutside(). @param path empty: path()
    void save(const QString& path = {});
    /// Writes path() even if another program has changed it.
    void overwrite();
    /// The present work is no work of the user: isModified() is false until the next change.
    void takeAsUnmodified();
    /// Opens a session and its image; ends with opened(), imageMissing() or failed(), or like
    /// DocumentViewModel::open() if the image cannot be opened.
    void open(const QString& path);
    /// Opens a file stored for recovery; the session then has no file.
    void recover(const QString& path);
    /// Answers imageMissing() with the path of the image, which the file of the session then names.
    void locate(const QString& image);

signals:
    /// draft() may have changed.
    void changed();
    void modifiedChanged(); ///< some time after a change
    /// See LabelEditViewModel::pixelsEdited().
    void pixelsEdited(const std::shared_ptr<pollard::vm::LabelWork>& work, const std::string& records);
    /// The previous work is gone: another image or session is open, or none.
    void workReplaced();
    void pathChanged();
    void canSaveChanged();
    void savingChanged();
    void saved(const QString& path);
    void opened(const QString& path);
    /// Nothing was written.
    void changedOutside(const QString& path);
    /// The image of a session could not be opened, or the user declined.
    void imageRefused();
    /// Nothing was opened. locate() opens it with another image.
    void imageMissing(const QString& image);
    /// The text of setDocks() when the session was saved.
    void docksFound(const QString& docks);
    void failed(const QString& title, const QString& text);
    /// Information that is no failure.
    void noticeRaised(const QString& text);

private:
    /// A session being opened.
    struct OpenedSession {
        SavedSession session;
        QString path;
        bool recovered = false;
        FoundImage image;
        std::optional<FileStamp> stamp = {}; ///< of the file that was read
    };
    struct PendingImage {
        OpenedSession opened;
        OpenRequest request;
    };
    void followSubjects();
    void reportModified() { change(this, reportedModified_, isModified(), &SessionViewModel::modifiedChanged); }
    void read(const QString& path, bool recovered);
    void takeFound(OpenedSession opened);
    void openImage(OpenedSession opened, const QString& image);
    struct SavedFile;
    void write(const QString& path, bool overwrites);
    void onSaved(const SavedFile& written, const JobOutcome& outcome);
    void onDocument();
    void onState();
    void apply(OpenedSession opened);
    void setPath(const QString& path) { change(this, path_, path, &SessionViewModel::pathChanged); }
    void endOf(const JobOutcome& outcome, const QString& title);

    Subjects subjects_;
    std::function<QString()> docks_;
    std::unique_ptr<SavedWork> baseline_;
    bool reportedModified_ = false;
    QTimer modifiedSoon_; ///< collects the frequent changes of a drag
    OpenRequest shown_;
    std::shared_ptr<CachedFingerprint> fingerprint_ = std::make_shared<CachedFingerprint>();
    QString path_;
    /// Of path_ when it was opened or saved here; for the thread that writes.
    std::shared_ptr<std::optional<FileStamp>> stamp_ = std::make_shared<std::optional<FileStamp>>();
    QString image_;                        ///< image of path_
    std::optional<OpenedSession> missing_; ///< its image was not found
    std::optional<PendingImage> pending_;  ///< its image is being opened
    bool asked_ = false;                   ///< the user is asked about its memory
    std::unique_ptr<LatestWinsWorker> worker_ = std::make_unique<LatestWinsWorker>();
    WriteQueue writes_{*worker_};
};

} // namespace pollard::vm
