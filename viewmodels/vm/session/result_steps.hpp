#pragma once

#include "vm/contour/forbidden_runs.hpp"
#include "vm/objects/object_marks.hpp"

#include "image/image.hpp"
#include "recipe/recipe.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class ContourViewModel;
class DocumentViewModel;
class EditHistory;
class ObjectsViewModel;
class ObjectTableModel;
class RegionViewModel;

/// The steps of a recipe that leave the picture as it is, as the panels hold them: the objects, once somebody looked at
/// them, and the contours of the run at hand, from their starts on. They are those of the models; only which files are
/// to be written, and which step is switched off, is kept here. Another file starts without them.
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

    /// A step, as the panel has it.
    struct Row {
        RecipeStep step;
        bool on = true; ///< it is part of the recipe
        bool operator==(const Row&) const = default;
    };
    /// The objects before the contours; nothing without a picture.
    [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
    /// Forbidden pixels are on their way from a step, or into one; until then the contours of rows() are those of
    /// before.
    [[nodiscard]] bool isBusy() const noexcept { return forbidden_.isBusy(); }

    [[nodiscard]] static bool isResult(const RecipeStep& step) noexcept;
    /// For a person.
    [[nodiscard]] static QString titleOf(const RecipeStep& step);
    /// Why the window cannot take over these steps of a recipe, one sentence; empty if it can.
    [[nodiscard]] static QString obstacleOf(const Recipe& recipe);

    void setOn(const RecipeStep& step, bool on);
    /// Takes it out of the recipe until the panel shows something else; the panel stays as it is.
    void remove(const RecipeStep& step);
    /// Brings the panel to a step, as an entry of the history.
    /// @return why not, one sentence; empty if it was done
    QString take(const RecipeStep& step);
    /// The steps of a recipe in place of those that are there. @param recipe that has no obstacle
    /// @return why not, one sentence; empty if it was done
    QString takeAll(const Recipe& recipe);

signals:
    void changed(); ///< rows()
    /// What was to start did not, or the contour does not fit into the recipe. @param why one sentence
    void failed(const QString& why);
    /// A panel is to be shown, since it holds what was taken over.
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
    /// That of the panel; nothing while its forbidden pixels are on their way.
    [[nodiscard]] std::optional<ContoursStep> presentContour();
    /// The one to be listed.
    [[nodiscard]] std::optional<ContoursStep> listedContour();
    QString takeObjects(const ObjectsStep& step);
    QString takeContour(const ContoursStep& step);
    void start(const ContoursStep& step, const std::shared_ptr<const Mask>& forbidden);
    void dropAwaited();

    Subjects subjects_;
    QString path_;                     ///< of the picture
    std::weak_ptr<const Image> image_; ///< the last that onDocument() was told of
    bool holdsObjects_ = false;        ///< they were shown
    bool objectsOn_ = true;
    bool contourOn_ = true;
    std::optional<ObjectsStep> lastObjects_;    ///< as the panel had them
    std::optional<ObjectsStep> removedObjects_; ///< taken out of the recipe
    std::optional<ContoursStep> removedContour_;
    std::vector<ObjectFile> objectFiles_;
    std::vector<ContourFile> contourFiles_;
    GeoJsonIn objectsIn_ = GeoJsonIn::pixels;
    GeoJsonIn contoursIn_ = GeoJsonIn::pixels;
    std::optional<RemovedObjects> awaitedRemoval_; ///< as soon as the objects are there
    std::optional<ContoursStep> awaited_;          ///< starts when the objects are there
    std::vector<Row> rows_;
    ForbiddenRuns forbidden_; ///< of the run at hand, and of `awaited_`
};

} // namespace pollard::vm
