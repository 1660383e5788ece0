#pragma once

#include "vm/image/look.hpp"

#include "io/image_file.hpp"

#include <QList>
#include <QObject>
#include <QString>
#include <QTimer>

#include <deque>
#include <optional>
#include <utility>

class QSettings;

namespace pollard::vm {

class DisplayViewModel;
class HistogramViewModel;

/// The looks of files set by the user, the latest first, stored in the settings. While shared, one look applies to all
/// files.
class LookStore : public QObject {
    Q_OBJECT

public:
    /// Number of stored files; the least recently used one is dropped first.
    static constexpr std::size_t kMaxFiles = 100;

    /// @param settings must outlive this; null: nothing is stored beyond this object
    explicit LookStore(QSettings* settings = nullptr, QObject* parent = nullptr);
    ~LookStore() override;

    /// The look for a file: the shared look, its own, or for a new file the default linear window of its kind in the
    /// colours last chosen by the user.
    [[nodiscard]] Look recall(const QString& path) const;
    /// Stores the user's look of this file; while shared, of all files. An empty path is no file.
    void remember(const QString& path, const Look& look);
    /// Stores the user's colours for new files.
    void rememberColours(ColourMap map, bool inverted);
    [[nodiscard]] std::size_t size() const noexcept { return files_.size(); }

    [[nodiscard]] bool isShared() const noexcept { return shared_.has_value(); }
    /// Uses this look for all files; each file keeps its own for later.
    void share(const Look& look);
    void stopSharing();

public slots:
    /// Removes all files.
    void clear();

signals:
    void sharedChanged();

private:
    void load();
    void save();
    void saveSoon();

    QSettings* settings_;
    std::deque<std::pair<QString, Look>> files_;
    std::optional<Look> shared_;
    ColourMap preferredMap_ = ColourMap::grey;
    bool preferredInverted_ = false;
    QTimer soon_; ///< collects the frequent changes of a drag
};

/// A window of values with a name for menus.
struct NamedWindow {
    QString id;   ///< "file", "brain" ...
    QString name; ///< translated
    ChannelWindow values;
    QString unit; ///< of the values; may be empty

    /// "0 to 80 HU"
    [[nodiscard]] QString valuesText() const;
};

/// The window stated by the file, and the usual windows of computed tomography for values in Hounsfield units.
/// @param info null: none
[[nodiscard]] QList<NamedWindow> namedWindows(const ImageInfo* info);

/// Initializes the models with the stored preferences, and stores every change: percentages of the automatic window,
/// marks of saturation, blink interval, kind of difference, source of the histogram,
/// composite of channels. The comparison mode is not stored,
/// so that the image blinks only on request.
/// @param settings must outlive the models
void keepDisplayPreferences(QSettings& settings, DisplayViewModel& display, HistogramViewModel& histogram);

} // namespace pollard::vm
