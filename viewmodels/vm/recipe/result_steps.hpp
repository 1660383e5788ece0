#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/objects/object_listing.hpp"

#include "image/image.hpp"
#include "image/mask.hpp"
#include "recipe/recipe.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class ContourViewModel;
class DocumentViewModel;
class EditHistory;
class ObjectTableModel;
class ObjectsViewModel;
class RegionViewModel;

/// Converts forbidden pixels between masks of the panel and runs of a recipe, on another thread.
class ForbiddenRuns : public QObject {
    Q_OBJECT

public:
    using Store = std::function<StoredMask(const Mask&)>;
    /// @param store makes the runs of a mask, on another thread
    explicit ForbiddenRuns(Store store = &StoredMask::of, QObject* parent = nullptr);

    /// Requests the runs of a mask; null for none. @return whether stored() belongs to it; else followed() comes, or
    /// notFollowed(), which leaves stored() unchanged; this mask is then not tried again until another one was
    bool follow(const std::shared_ptr<const Mask>& mask);
    [[nodiscard]] const std::optional<StoredMask>& stored() const noexcept { return stored_; }

    /// Makes the forbidden pixels of a step for an image of this size; ends with expanded() or failed().
    void expand(const ContoursStep& step, std::uint32_t width, std::uint32_t height);
    [[nodiscard]] bool isExpanding() const noexcept { return expanding_ != 0; }
    /// Suppresses a pending expanded().
    void drop();

    [[nodiscard]] bool isBusy() const noexcept { return following_ != nullptr || isExpanding(); }

signals:
    void followed();
    /// @param why one line for the user
    void notFollowed(const QString& why);
    void expanded(const std::shared_ptr<const pollard::Mask>& mask);
    /// @param why message of core
    void failed(const QString& why);

private:
    Store store_;
    std::shared_ptr<const Mask> mask_; ///< source of stored_
    std::optional<StoredMask> stored_;
    std::shared_ptr<const Mask> following_;      ///< the pending one
    std::shared_ptr<const Mask> refused_;        ///< failed the last time
    LatestWinsWorker::Generation expanding_ = 0; ///< the pending job, else 0
    LatestWinsWorker worker_;                    ///< last: its job ends before the other members are destroyed
};

/// The steps of a recipe that do not change the image, from the panels: the objects, once they were displayed, and
/// the contours of the current run from their starts on. The models hold them; only the files to write and the removed
/// steps are stored here. Reset with another file.
class ResultSteps : public QObject {
    Q_OBJECT

public:
    /// All must outlive it.
    struct Subjects {
        DocumentViewModel& document;
        RegionViewModel& region;
        ObjectsViewModel& objects;
        ObjectTableModel& table;
        ContourViewModel& contours;
        EditHistory& history;
    };
    explicit ResultSteps(const Subjects& subjects, QObject* parent = nullptr);

    /// A step of a panel.
    struct Row {
        RecipeStep step;
        bool on = true; ///< part of the recipe
        bool operator==(const Row&) const = default;
    };
    /// The objects before the contours; empty without an image.
    [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
    /// The objects in rows() were followed over time, so that the recipe is for each time.
    [[nodiscard]] bool isOverTime() const;
    /// Work of the panels that no step has, a sentence each.
    [[nodiscard]] QStringList missing() const;
    /// Forbidden pixels are being converted from a step or into one; until then rows() has the previous contours.
    [[nodiscard]] bool isBusy() const noexcept { return forbidden_.isBusy(); }

    [[nodiscard]] static bool isResult(const RecipeStep& step) noexcept;
    /// Text for the user.
    [[nodiscard]] static QString titleOf(const RecipeStep& step);
    /// Why the window cannot apply these steps of a recipe, one sentence; empty if it can.
    [[nodiscard]] static QString obstacleOf(const Recipe& recipe);

    void setOn(const RecipeStep& step, bool on);
    /// Removes it from the recipe until the panel changes; the panel stays as it is.
    void remove(const RecipeStep& step);
    /// Sets the panel to a step, as an entry of the history.
    /// @return the reason of a failure, one sentence; empty after success
    QString take(const RecipeStep& step);
    /// Replaces the present steps by the steps of a recipe. @param recipe without an obstacle
    /// @return the reason of a failure, one sentence; empty after success
    QString takeAll(const Recipe& recipe);

signals:
    void changed(); ///< rows()
    /// A start failed, or the contour does not fit into the recipe. @param why one sentence
    void failed(const QString& why);
    /// The panel of objects should be shown, with the new objects.
    void objectsWanted();
    void contoursWanted();

private:
    void onDocument();
    void onObjects();
    void settle();
    void refresh();
    [[nodiscard]] bool areObjectsThere() const;
    [[nodiscard]] QString unitProblem(const ObjectsStep& step);
    [[nodiscard]] ObjectsStep presentObjects() const;
    /// The contour of the panel; empty while its forbidden pixels are being converted.
    [[nodiscard]] std::optional<ContoursStep> presentContour();
    /// The contour in rows().
    [[nodiscard]] std::optional<ContoursStep> listedContour();
    QString takeObjects(const ObjectsStep& step);
    QString takeContour(const ContoursStep& step);
    void start(const ContoursStep& step, const std::shared_ptr<const Mask>& forbidden);
    void dropAwaited();

    Subjects subjects_;
    QString path_;                     ///< of the image
    std::weak_ptr<const Image> image_; ///< of the last onDocument()
    bool holdsObjects_ = false;        ///< the objects were displayed
    bool overTime_ = false;            ///< isOverTime() at the last changed()
    bool objectsOn_ = true;
    bool contourOn_ = true;
    std::optional<ObjectsStep> lastObjects_;    ///< the last of the panel
    std::optional<ObjectsStep> removedObjects_; ///< removed from the recipe
    std::optional<ContoursStep> removedContour_;
    std::vector<ObjectFile> objectFiles_;
    std::vector<ContourFile> contourFiles_;
    GeoJsonIn objectsIn_ = GeoJsonIn::pixels;
    GeoJsonIn contoursIn_ = GeoJsonIn::pixels;
    std::optional<RemovedObjects> awaitedRemoval_; ///< applied once the objects are there
    std::optional<ContoursStep> awaited_;          ///< starts once the objects are there
    std::vector<Row> rows_;
    ForbiddenRuns forbidden_; ///< of the current run and of `awaited_`
};

} // namespace pollard::vm
