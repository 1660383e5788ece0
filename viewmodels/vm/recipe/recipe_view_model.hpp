#pragma once

#include "vm/image/open_request.hpp"
#include "vm/image/region_edit.hpp"
#include "vm/recipe/window_recipe.hpp"

#include "recipe/recipe.hpp"
#include "recipe/recipe_script.hpp"

#include <QAbstractListModel>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace pollard::vm {

class ResultSteps;

/// The work on an image as the steps of a recipe: reading, region, tree and filter, for the earlier filters and the
/// current one; then the filters of other channels; then objects and contours. The steps show the state of the models;
/// a change here changes the models and can be undone. Regions, filters, objects and contours can be switched off; a
/// step that is off is not part of the recipe.
class RecipeViewModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// Roles in addition to the text (Qt::DisplayRole), the check state (Qt::CheckStateRole) and the tooltip.
    enum Role {
        textRole = Qt::UserRole + 1, ///< the step in the recipe's format: id, version, parameters
        stageRole,                   ///< number of the step's filter from 0; -1 for reading, results and other channels
    };

    explicit RecipeViewModel(const FilterModels& subjects, QObject* parent = nullptr);

    /// Text of a step for the user.
    [[nodiscard]] static QString titleOf(const RecipeStep& step);

    /// Appends the steps of objects and contours. @param results must outlive this
    void addResults(ResultSteps& results);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// Sets the check state.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    /// One line: set by the user, else made from the name of the image.
    [[nodiscard]] QString name() const;
    /// An image is open.
    [[nodiscard]] bool isAvailable() const;
    /// The steps that are on. Run on the file, it gives the displayed result, pixel for pixel.
    [[nodiscard]] Recipe recipe() const;
    /// Nothing is done: no filter removes anything by its settings, and no objects, contours or part are asked for.
    [[nodiscard]] bool isEmpty() const;
    /// The steps that are on as commands for a POSIX shell; empty without an image.
    [[nodiscard]] QString commandLine() const;
    /// The steps that are on as a script for Python; empty without an image.
    [[nodiscard]] QString pythonScript() const;
    /// Work on the image that no recipe has, a sentence each; both scripts begin with it.
    [[nodiscard]] QStringList missing() const;
    [[nodiscard]] bool canRemove(int row) const;
    /// Whether a filter can change places, with its tree and region, with the one above (-1) or below (1).
    [[nodiscard]] bool canMove(int row, int by) const;
    /// The row of a filter by its number from 0; -1 if there is none.
    [[nodiscard]] int filterRow(int stage) const;

public slots:
    void setName(const QString& name);
    /// Replaces a step by one of the same kind with other parameters.
    /// @return the reason of a failure, one line for the user; empty after success
    QString edit(int row, const QString& text);
    void remove(int row);
    /// @return the reason of a failure, one line for the user; empty after success
    QString move(int row, int by);
    /// Applies a recipe to the open image, or the next one.
    /// @param path of its file, for texts
    /// @return the reason of a failure, one line for the user; empty after success, or if the recipe is applied once
    /// the image is read again
    QString takeOver(const pollard::Recipe& recipe, const QString& path);

signals:
    void changed(); ///< steps or name
    /// The steps that takeOver() deferred until the image was read failed. @param why one line for the user
    void failed(const QString& why);

private:
    using Step = StageRow; ///< also for reading, other channels and results
    [[nodiscard]] std::vector<Step> present() const;
    [[nodiscard]] ScriptWork script() const;
    /// Whether the step belongs to the panel of objects or contours and is only listed here.
    [[nodiscard]] bool isResult(int row) const;
    /// How the image is read, without its pixel size, which belongs to the image.
    [[nodiscard]] ReadStep reading() const;
    /// The channels that a row is about: " (DAPI)"; empty if the recipe has one channel.
    [[nodiscard]] QString channelText(const Step& step) const;
    /// The open file read by the step; keeps the user's pixel size if the step has none.
    [[nodiscard]] OpenRequest requestFor(const ReadStep& step) const;
    [[nodiscard]] FilterStages stages() const;
    [[nodiscard]] static bool isRow(const std::vector<Step>& steps, int row) noexcept;
    /// Whether it is the current filter.
    [[nodiscard]] bool isLastFilter(const Step& step) const;
    void refresh();
    void onDocument();
    void setOn(int row, bool on);
    /// @param text of the undo entry; empty: the changed part
    void take(const FilterStages& stages, const QString& text);
    /// Sets the filters of the channels and the panels of results, in one entry.
    /// @return the reason of a failure, one line for the user; empty after success
    QString takeRecipe(const WindowRecipe& window, const Recipe& recipe);

    FilterModels subjects_;
    ResultSteps* results_ = nullptr;
    QString name_;                        ///< empty: the name of the image
    RegionStep off_;                      ///< a region that is switched off
    QString offPath_;                     ///< image of `off_`
    ImagePlace offPlace_;                 ///< of the px of `off_`
    std::vector<Step> steps_;             ///< as last signalled to views
    bool taking_ = false;                 ///< several changes are signalled as one
    std::optional<WindowRecipe> pending_; ///< applied once the image is read
    Recipe pendingResults_;               ///< the same
    OpenRequest awaited_;
};

} // namespace pollard::vm
